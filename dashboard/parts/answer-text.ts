/** Fields in which agents answer in words. */
const WORDS = ['message', 'text', 'result', 'answer', 'report']

/** What an agent answered, as text: its words where it used some, else all of it. */
export function answerText(outputs: Record<string, unknown> | null): string {
  if (outputs === null) return 'No answer.'
  const field = WORDS.find((name) => typeof outputs[name] === 'string')
  return field === undefined ? JSON.stringify(outputs, null, 2) : String(outputs[field])
}
