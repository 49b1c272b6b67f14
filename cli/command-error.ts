import type { ExitCode } from './exit-code.ts'

/** What ends a command: a sentence for the user and the exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.exitCode = exitCode
  }
}
