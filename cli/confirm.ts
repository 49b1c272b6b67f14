import { createInterface } from 'node:readline/promises'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** Asks before something that cannot be taken back. @throws CommandError without a yes, or without anybody to ask */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError(EXIT.usage, `${question} Give --yes where nobody can be asked.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(EXIT.interrupted, 'Nothing was done.')
}
