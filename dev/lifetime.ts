/** Signals within this time count as one, because npm and the terminal may both deliver a Ctrl-C. */
const ECHO_MS = 700

const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Handles the end of a command: the first signal runs `stop`, with the limit `deadlineMs`; a second one ends the process at once,
 * and the keeper ends its children.
 */
export function endOnSignal(stop: () => Promise<void>, deadlineMs: number): void {
  let firstAt: number | undefined
  const onSignal = () => {
    if (firstAt !== undefined) {
      if (Date.now() - firstAt > ECHO_MS) process.exit(130)
      return
    }
    firstAt = Date.now()
    setTimeout(() => process.exit(1), deadlineMs).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
}
