import { setImmediate as nextTurn } from 'node:timers/promises'
import type { checkArguments } from '../../agents/tool-parameters.ts'
import { TroupeError } from '../../core/errors.ts'
import type { KnownAgent } from '../../store/registry/agents.ts'

type InputCheck = ReturnType<typeof checkArguments>

/** Size of the cache of compiled checks by schema; more than an installation has agents. */
const checks = new Map<string, InputCheck>()
const MAX_CHECKS = 500
/** How many tasks are checked in one turn of the event loop. */
const TASKS_AT_ONCE = 1_000
const MAX_SENTENCE_CHARACTERS = 600

/**
 * Checks inputs against the input schema of an agent.
 * @param agent - for a chain, its first agent.
 * @throws TroupeError bad_request that names the invalid field
 */
export async function checkInputs(agent: KnownAgent | undefined, inputs: unknown): Promise<void> {
  if (agent?.input === undefined) return
  const check = await inputCheck(agent.input)
  refuse(agent.name, check(inputs, 'inputs'))
}

/** Checks the tasks of a batch. @throws TroupeError bad_request that names the first invalid task and its field */
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
    `${problem}: the inputs do not match the schema of agent "${agent}"; see GET /api/agents.`,
  )
}

async function inputCheck(schema: string): Promise<InputCheck> {
  const known = checks.get(schema)
  if (known !== undefined) return known
  // Loaded when the first agent with a schema is used.
  const { checkArguments } = await import('../../agents/tool-parameters.ts')
  const json = JSON.parse(schema) as Record<string, unknown>
  const check = checkArguments(json, json)
  if (checks.size >= MAX_CHECKS) checks.clear()
  checks.set(schema, check)
  return check
}
