import Router from '@koa/router'
import { listAgents, listTools } from '../../contracts/agents.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { unknownAgent } from '../agent-places.ts'
import type { Dependencies } from '../dependencies.ts'
import { agentView, toolView } from '../views/agent.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

const LIST = 'agents'

/** The agents that workers have registered, and their tools. */
export function agentRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })
  const { agents, counters } = deps.store

  serveEndpoint(router, deps, listAgents, async ({ query: { limit, cursor, offset = 0 } }) => {
    const after = cursor === undefined ? {} : { _id: { $gt: String(decodeCursor(LIST, cursor, ['string'])[0]) } }
    const [found, ledger] = await Promise.all([
      agents
        .find(after)
        .sort({ _id: 1 })
        .skip(offset)
        .limit(limit + 1)
        .toArray(),
      counters.findOne({ _id: 'ledger' }, { projection: { agents: 1 } }),
    ])
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    const now = new Date()
    return {
      agents: page.map((agent) => agentView(agent, ledger?.agents, now)),
      next_cursor: last === undefined ? null : encodeCursor(LIST, [last._id]),
    }
  })

  serveEndpoint(router, deps, listTools, async ({ parameters: { agent_name } }) => {
    const found = (await agents.findOne({ _id: agent_name })) ?? unknownAgent(agent_name)
    return { agent: agent_name, tools: found.tools.map(toolView) }
  })

  return router
}
