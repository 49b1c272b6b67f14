import { isObject } from '../../core/json.ts'
import type { JsonSchema } from '../definition.ts'
import type { LoadedAgent } from '../loaded-agent.ts'
import type { OfferedTool } from './model.ts'

/** An agent that another one may call, as its model is told about it. */
export interface Delegate {
  name: string
  role: string
  goal: string
  /** JSON text of the schema of its inputs; absent where it takes any. */
  input?: string
}

/** What an agent's model may call: the agent's tools, then its delegates under their own names. */
export function offeredTools(agent: Pick<LoadedAgent, 'tools'>, delegates: Delegate[]): OfferedTool[] {
  const tools = agent.tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  return [...tools, ...delegates.map(offeredDelegate)]
}

/**
 * The inputs that a delegate gets from a call's arguments, `{ query: string }` or `{ inputs: object }`.
 * @returns a sentence for the model in `problem` when the arguments are neither.
 */
export function delegateInputs(args: unknown): { inputs: Record<string, unknown> } | { problem: string } {
  if (isObject(args)) {
    if (isObject(args.inputs)) return { inputs: args.inputs }
    if (typeof args.query === 'string') return { inputs: { query: args.query } }
  }
  return { problem: 'arguments must be { "query": string } or { "inputs": object }' }
}

function offeredDelegate({ name, role, goal, input }: Delegate): OfferedTool {
  const description = `Delegates to the agent ${name} (${role}). Its goal: ${goal}.`
  if (input !== undefined) {
    // References of the schema point to its own root, which it would not be here.
    const inputs = input.includes('"$ref"') ? { type: 'object' } : (JSON.parse(input) as JsonSchema)
    const parameters = { type: 'object', properties: { inputs }, required: ['inputs'] }
    return { name, description: `${description} Give it inputs.`, parameters }
  }
  return {
    name,
    description: `${description} Give it a query or inputs.`,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'The task in words, with everything the agent needs to know.' },
        inputs: { type: 'object', description: 'The inputs as an object, instead of a query.' },
      },
      required: [],
    },
  }
}
