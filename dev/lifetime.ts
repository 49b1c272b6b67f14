/** A second Ctrl-C comes from a person after this time; npm and the terminal may both deliver the first one. */
const ECHO_MS = 700

const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Ends a command in order: the first signal runs `stop`, within `deadlineMs`; a second one ends the process at once (its
 * children then get ended by the keeper).
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
