/** A colour, or a character that a terminal obeys; line breaks and tabs are neither. */
const CONTROL = /\u001b\[[0-9;]*m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * A text as it may be shown in a terminal. What agents and logs say could otherwise move the cursor, rename the window or fill
 * the clipboard; colours do no harm and stay.
 */
export function terminalSafe(text: string): string {
  return text.replace(CONTROL, (match) => (match.startsWith('\u001b[') ? match : ''))
}
