import type Router from '@koa/router'
import { listAgents, listTools } from '../../contracts/agents.ts'
import { readAgentDay } from '../../store/registry/agent-hours.ts'
import { listAgentRows } from '../../store/registry/agents.ts'
import { decodeCursor, pageOf } from '../http/cursor.ts'
import { unknownAgent } from '../runs/known-agents.ts'
import type { Dependencies } from '../dependencies.ts'
import { agentView, toolView } from '../views/agent.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

const LIST = 'agents'

/** Routes of agents and their tools. */
export function serveAgents(router: Router, deps: Dependencies): void {
  const { counters } = deps.store

  serveEndpoint(router, deps, listAgents, async ({ query: { limit, cursor, offset = 0 } }) => {
    const after = cursor === undefined ? {} : { name: { $gt: String(decodeCursor(LIST, cursor, ['string'])[0]) } }
    const now = new Date()
    const [found, ledger, day] = await Promise.all([
      listAgentRows(deps.store, after, { offset, limit: limit + 1 }),
      counters.findOne({ _id: 'ledger' }, { projection: { agents: 1 } }),
      readAgentDay(deps.store, now),
    ])
    const { items, next_cursor } = pageOf(LIST, found, limit, ({ name }) => [name])
    return { agents: items.map((agent) => agentView(agent, ledger?.agents, day, now)), next_cursor }
  })

  serveEndpoint(router, deps, listTools, async ({ parameters: { agent_name } }) => {
    const [found = unknownAgent(agent_name)] = await listAgentRows(
      deps.store,
      { name: agent_name },
      { offset: 0, limit: 1 },
    )
    return { agent: agent_name, tools: found.tools.map(toolView) }
  })
}
