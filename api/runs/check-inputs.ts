import { setImmediate as nextTurn } from 'node:timers/promises'
import type { checkArguments } from '../../agents/tool-parameters.ts'
import { TroupeError } from '../../core/errors.ts'
import type { KnownAgent } from '../../store/registry/agents.ts'

type InputCheck = ReturnType<typeof checkArguments>

/** Checks by the text of their schema; more than an installation has agents. */
const checks = new Map<string, InputCheck>()
const MAX_CHECKS = 500
/** Tasks that are looked at in one turn of the event loop. */
const TASKS_AT_ONCE = 1_000
const MAX_SENTENCE_CHARACTERS = 600

/**
 * Checks inputs against what an agent takes.
 * @param agent - of a chain: the first, the others get what the one before them gives.
 * @throws TroupeError bad_request naming the field
 */
export async function checkInputs(agent: KnownAgent | undefined, inputs: unknown): Promise<void> {
  if (agent?.input === undefined) return
  const check = await inputCheck(agent.input)
  refuse(agent.name, check(inputs, 'inputs'))
}

/** Checks the tasks of a batch. @throws TroupeError bad_request naming the first task that does not fit, and its field */
export async function checkTasks(agent: KnownAgent, tasks: unknown[]): Promise<void> {
  if (agent.input === undefined) return
  const check = await inputCheck(agent.input)
  for (const [index, task] of tasks.entries()) {
    refuse(agent.name, check(task, `tasks[${index}]`))
    if (index % TASKS_AT_ONCE === TASKS_AT_ONCE - 1) await nextTurn()
  }
}

function refuse(agent: string, checked: ReturnType<InputCheck>): void {
  if (!('problem' in checked)) return
  const problem = checked.problem.slice(0, MAX_SENTENCE_CHARACTERS)
  throw new TroupeError(
    'bad_request',
    `${problem}: agent "${agent}" takes other inputs; GET /api/agents has their schema.`,
  )
}

async function inputCheck(schema: string): Promise<InputCheck> {
  const known = checks.get(schema)
  if (known !== undefined) return known
  // Loaded by the first agent that has a schema.
  const { checkArguments } = await import('../../agents/tool-parameters.ts')
  const json = JSON.parse(schema) as Record<string, unknown>
  const check = checkArguments(json, json)
  if (checks.size >= MAX_CHECKS) checks.clear()
  checks.set(schema, check)
  return check
}
