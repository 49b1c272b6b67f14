/** Prints messages for users. */
export type Say = (sentence: string) => void

/** Writes a message to stderr, because stdout is for the output of a command. */
export const sayToTerminal: Say = (sentence) => process.stderr.write(`${sentence}\n`)

/** Prints nothing. */
export const saySilently: Say = () => {}

const REMINDER_MS = 10_000

/** Waits for long work and prints every ten seconds that it is still running. */
export async function withReminders<T>(say: Say, what: string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now()
  const timer = setInterval(() => say(`${what} … ${seconds(startedAt)}`), REMINDER_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

/** Formats the time since `startedAt` (ms since the epoch): `3.2 s`, `1 min 40 s`. */
export function seconds(startedAt: number): string {
  const elapsed = (Date.now() - startedAt) / 1_000
  if (elapsed < 60) return `${elapsed.toFixed(1)} s`
  return `${Math.floor(elapsed / 60)} min ${Math.floor(elapsed % 60)} s`
}
