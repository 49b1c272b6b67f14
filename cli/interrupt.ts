import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Fires at the first Ctrl-C, with a reason that ends the command; the second Ctrl-C ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort(new CommandError(EXIT.interrupted, 'Interrupted.'))
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return controller.signal
}

/** The same interruption with a sentence that says what goes on, and how to come back to it. */
export function interruptedError(sentence: string): CommandError {
  return new CommandError(EXIT.interrupted, sentence)
}
