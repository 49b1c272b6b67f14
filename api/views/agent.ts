import type { Agent, ToolDetail } from '../../contracts/agents.ts'
import { isAlive } from '../../store/registry/agents.ts'
import type { AgentDay } from '../../store/registry/agent-hours.ts'
import type { AgentDocument, CounterDocument } from '../../store/documents.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'

/**
 * Builds the API's view of an agent.
 * @param counted - the running sums of the agent.
 * @param day - counts of runs that ended in the last day.
 */
export function agentView(agent: AgentDocument, counted: CounterDocument['agents'], day: AgentDay, now: Date): Agent {
  const { name: agentName, role, goal, models = [], tools, input, output, last_seen } = agent
  const sums = counted?.[fieldName(agentName)]
  const ends = day.agents.get(fieldName(agentName))
  return {
    name: agentName,
    role,
    goal,
    status: isAlive(agent, now) ? 'active' : 'inactive',
    models,
    tools: tools.map(({ name }) => name),
    last_seen: last_seen.toISOString(),
    trace_count: sums?.trace_count ?? 0,
    runs: sums?.executions ?? 0,
    last_executed: sums?.last_executed?.toISOString() ?? null,
    last_day: { since: day.since.toISOString(), completed: 0, failed: 0, canceled: 0, ...ends },
    input: schemaOrNull(input),
    output: schemaOrNull(output),
  }
}

function schemaOrNull(text: string | undefined): Agent['input'] {
  return text === undefined ? null : (JSON.parse(text) as Record<string, unknown>)
}

/** A tool as the model receives it; without declared parameters it takes none. */
export function toolView({ name, description, parameters }: AgentDocument['tools'][number]): ToolDetail {
  const schema = JSON.parse(parameters) as Record<string, unknown>
  return { name, description, parameters: { type: 'object', properties: {}, required: [], ...schema } }
}
