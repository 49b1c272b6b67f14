import { CommanderError, type Command } from 'commander'
import { createContext, createTerminal, type CommandHandler, type GlobalOptions } from './context.ts'
import { EXIT } from './exit-code.ts'
import { failureOf } from './failure.ts'
import { interruption } from './interrupt.ts'
import { createProgram } from './program.ts'
import type { Settings } from './settings.ts'
import { Terminal } from './terminal.ts'

/** Runs one command. Prints failures as a sentence, or as a document with `--json`, and sets the exit code. */
async function runCommand(load: () => Promise<CommandHandler<never, never>>, command: Command, given: unknown[]) {
  const options = command.optsWithGlobals<GlobalOptions>()
  if (process.argv.includes('--no-color')) process.env.NO_COLOR = '1'
  const terminal = createTerminal(options)
  let settings: Settings | undefined
  try {
    const handler = await load()
    const context = createContext(options, terminal, interruption())
    settings = context.settings
    process.exitCode = await handler(context, given as never, command.opts() as never)
  } catch (error) {
    process.exitCode = tell(error, settings, terminal)
  }
}

function tell(error: unknown, settings: Settings | undefined, terminal: Terminal): number {
  const { exitCode, sentence, status, requestId } = failureOf(error, settings)
  if (terminal.options.json) {
    terminal.document({ error: { detail: sentence, status, request_id: requestId, exit_code: exitCode } })
  } else terminal.error(sentence)
  return exitCode
}

// A closed pipe, for example by `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed),
)

try {
  await createProgram(runCommand).parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  // Commander has already printed the message; help and version are not failures.
  process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (process.exitCode === EXIT.usage && process.argv.includes('--json')) {
    const detail = error.message.replace(/^error: /, '')
    const usage = { detail, status: null, request_id: null, exit_code: EXIT.usage }
    new Terminal({ json: true, quiet: false, utc: false, fields: undefined }).document({ error: usage })
  }
}
