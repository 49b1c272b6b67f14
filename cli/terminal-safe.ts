/** Matches color sequences and other control characters, except line breaks and tabs. */
const CONTROL = /\u001b\[[0-9;]*m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Removes control sequences from a text for a terminal. Text of agents and logs could otherwise move the cursor, rename the
 * window or write to the clipboard. Colors are harmless and remain.
 */
export function terminalSafe(text: string): string {
  return text.replace(CONTROL, (match) => (match.startsWith('\u001b[') ? match : ''))
}
