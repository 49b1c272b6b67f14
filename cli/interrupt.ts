import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
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

/** Waits for the answer to a submission also after Ctrl-C: what it began goes on, and only the answer says under which id. */
export async function untilAnswered<Answer>({ signal, terminal }: Context, answer: Promise<Answer>): Promise<Answer> {
  const tell = (): void => terminal.note('Waiting for the answer to the submission; Ctrl-C again ends at once.')
  signal.addEventListener('abort', tell)
  try {
    return await answer
  } finally {
    signal.removeEventListener('abort', tell)
  }
}
