import { createInterface } from 'node:readline/promises'
import { spendingFields, type SpendingOptions } from '../budget.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { followExecution } from '../follow-execution.ts'
import { LiveText } from '../live-text.ts'
import { printOutcome, textOf } from '../print-execution.ts'

type ChatFields = ReturnType<typeof spendingFields>

const DEFAULT_SECONDS = 30
/** The maximum timeout of the service. */
const MAX_SECONDS = 600

/** `troupe chat AGENT [MESSAGE]`: sends one message, or one per line of stdin. */
export async function chat(
  context: Context,
  [agent, message]: [string, string?],
  { live = false, ...spending }: SpendingOptions & { live?: boolean },
): Promise<number> {
  const { signal, terminal } = context
  const send = live && !terminal.options.json ? sendLive : sendAndWait
  const body = spendingFields(spending)
  if (message !== undefined) return send(context, agent, message, body)
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY, signal })
  let isClosed = false
  lines.once('close', () => (isClosed = true))
  const ask = (): void => {
    if (process.stdin.isTTY && !isClosed) lines.prompt()
  }
  let exitCode: ExitCode = EXIT.ok
  ask()
  for await (const line of lines) {
    if (line.trim() !== '') {
      const code = await send(context, agent, line, body)
      if (code !== EXIT.ok) exitCode = code
    }
    ask()
  }
  return signal.aborted ? EXIT.interrupted : exitCode
}

async function sendAndWait(
  { troupe, terminal, signal, timeoutMs }: Context,
  agent: string,
  message: string,
  body: ChatFields,
): Promise<ExitCode> {
  const timeout = Math.min(timeoutMs === undefined ? DEFAULT_SECONDS : timeoutMs / 1_000, MAX_SECONDS)
  const answer = await troupe.agents.chat(agent, message, { timeout, ...body }, { signal })
  const { status, task_id: id, response } = answer
  if (terminal.options.json) terminal.line(JSON.stringify(answer))
  else if (status === 'completed') terminal.line(textOf(response ?? null))
  else if (status === 'timeout')
    terminal.error(`No response within ${timeout} s; ${id} continues. To follow it, run "troupe watch ${id}".`)
  else terminal.error(`${id} ${status}: ${String(response?.error ?? '')}`)
  if (status === 'timeout') return EXIT.timeout
  return status === 'completed' ? EXIT.ok : EXIT.failed
}

/** Prints the response while it is generated; a response without model output is printed at once. */
async function sendLive(context: Context, agent: string, message: string, body: ChatFields): Promise<ExitCode> {
  const { troupe, terminal, signal } = context
  const { task_id: id } = await troupe.agents.chat(agent, message, { wait: false, ...body }, { signal })
  const live = new LiveText((text, begins) => terminal.piece(text, begins))
  await followExecution(context, { id, agent, live, print: () => {} })
  const prompt = await troupe.prompts.get(id, { signal })
  if (prompt.status !== 'completed' || textOf(prompt.outputs) !== live.text) return printOutcome(prompt, terminal)
  terminal.endPieces()
  return EXIT.ok
}
