import { isObject } from '../../core/json.ts'
import type { JsonSchema } from '../definition.ts'
import type { LoadedAgent } from '../loaded-agent.ts'
import type { OfferedTool } from './model.ts'

/** An agent that another agent may call, as described to that agent's model. */
export interface Delegate {
  name: string
  role: string
  goal: string
  /** JSON text of its input schema; absent if it accepts any inputs. */
  input?: string
}

/** Returns the tools that an agent's model may call: the agent's own tools, then its delegates under their names. */
export function offeredTools(agent: Pick<LoadedAgent, 'tools'>, delegates: Delegate[]): OfferedTool[] {
  const tools = agent.tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  return [...tools, ...delegates.map(offeredDelegate)]
}

/**
 * Reads a delegate's inputs from a call's arguments, `{ query: string }` or `{ inputs: object }`.
 * @returns a sentence for the model in `problem` if the arguments are neither.
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
    // References in the schema point to the schema's own root, which would change here.
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
