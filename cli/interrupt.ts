import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-code.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal that fires at the first Ctrl-C; the second Ctrl-C ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort(new CommandError(EXIT.interrupted, 'Interrupted.'))
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return controller.signal
}

/** The error of an interrupted command, with a sentence that says what continues and how to follow it. */
export function interruptedError(sentence: string): CommandError {
  return new CommandError(EXIT.interrupted, sentence)
}

/** Waits for the response to a submission even after Ctrl-C, because the work continues and only the response contains its id. */
export async function untilAnswered<Answer>({ signal, terminal }: Context, answer: Promise<Answer>): Promise<Answer> {
  const tell = (): void =>
    terminal.note('Waiting for the response to the submission; press Ctrl-C again to exit at once.')
  signal.addEventListener('abort', tell)
  try {
    return await answer
  } finally {
    signal.removeEventListener('abort', tell)
  }
}
