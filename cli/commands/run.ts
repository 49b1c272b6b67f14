import { spendingFields, type SpendingOptions } from '../budget.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { followExecution } from '../follow-execution.ts'
import { readInputs, type InputOptions } from '../inputs.ts'
import { interruptedError, untilAnswered } from '../interrupt.ts'
import { LiveText } from '../live-text.ts'
import { printOutcome } from '../print-execution.ts'

/** Options of what submits an execution and waits for it. */
export interface RunOptions extends InputOptions, SpendingOptions {
  detach?: boolean
  live?: boolean
  cancelOnInterrupt?: boolean
}

/** `troupe run AGENT`: one agent. */
export async function run(context: Context, [agent]: [string], options: RunOptions): Promise<number> {
  return submit(context, [agent], await readInputs(options), options)
}

/** `troupe chain A B C`: several agents in a row. */
export async function chain(context: Context, [agents]: [string[]], options: RunOptions): Promise<number> {
  return submit(context, agents, await readInputs(options), options)
}

/** Submits one agent, or several in a row, and shows what happens until the end. */
export async function submit(
  context: Context,
  [first = '', ...others]: string[],
  inputs: Record<string, unknown>,
  options: RunOptions,
): Promise<number> {
  const { troupe, terminal, signal } = context
  const chain = others.length > 0 && { mode: 'sequential' as const, agents: [first, ...others] }
  const body = { prompt_name: first, inputs, ...chain, ...spendingFields(options) }
  const created = await untilAnswered(context, troupe.prompts.create(body))
  const { prompt_id: id } = created
  if (options.detach === true) {
    if (terminal.options.json) terminal.document(created)
    else terminal.line(id)
    return EXIT.ok
  }
  terminal.note(id)
  try {
    const print = terminal.options.json ? () => {} : (line: string) => terminal.note(line)
    // Beside the result, which stdout gets whole.
    const live = new LiveText((text, begins) => terminal.piece(text, begins, process.stderr))
    await followExecution(context, { id, agent: first, print, live: options.live === true ? live : undefined })
  } catch (error) {
    if (!signal.aborted) throw error
    throw await interrupted(context, id, options.cancelOnInterrupt === true)
  }
  return printOutcome(await troupe.prompts.get(id), terminal)
}

async function interrupted({ troupe }: Context, id: string, cancel: boolean): Promise<Error> {
  if (!cancel) {
    return interruptedError(`${id} goes on. "troupe watch ${id}" follows it, "troupe cancel ${id}" ends it.`)
  }
  const { ok, status } = await troupe.prompts.cancel(id)
  return interruptedError(ok ? `${id} is canceled.` : `${id} had ended before: ${status}.`)
}
