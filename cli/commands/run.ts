import { spendingFields, type SpendingOptions } from '../budget.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { followExecution } from '../follow-execution.ts'
import { readInputs, type InputOptions } from '../inputs.ts'
import { interruptedError, untilAnswered } from '../interrupt.ts'
import { LiveText } from '../live-text.ts'
import { printOutcome } from '../print-execution.ts'

/** Options of commands that submit an execution and wait for it. */
export interface RunOptions extends InputOptions, SpendingOptions {
  detach?: boolean
  live?: boolean
  cancelOnInterrupt?: boolean
}

/** `troupe run AGENT`: runs one agent. */
export async function run(context: Context, [agent]: [string], options: RunOptions): Promise<number> {
  return submit(context, [agent], await readInputs(options), options)
}

/** `troupe chain A B C`: runs several agents in sequence. */
export async function chain(context: Context, [agents]: [string[]], options: RunOptions): Promise<number> {
  return submit(context, agents, await readInputs(options), options)
}

/** Submits an execution of one or several agents, and prints its events until the end. */
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
    // Printed to stderr, because stdout gets the whole result.
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
    return interruptedError(
      `${id} continues. To follow it, run "troupe watch ${id}"; to cancel it, "troupe cancel ${id}".`,
    )
  }
  const { ok, status } = await troupe.prompts.cancel(id)
  return interruptedError(ok ? `Canceled ${id}.` : `${id} had already ended: ${status}.`)
}
