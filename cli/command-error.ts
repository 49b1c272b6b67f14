import type { ExitCode } from './exit-code.ts'

/** Ends a command with a sentence for the user and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.exitCode = exitCode
  }
}
