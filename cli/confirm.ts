import { createInterface } from 'node:readline/promises'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** Asks for confirmation of an irreversible action. @throws CommandError unless the user confirms; also without a terminal */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError(EXIT.usage, `${question} Without a terminal, pass --yes to confirm.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} [y/N] `).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(EXIT.interrupted, 'Nothing was changed.')
}
