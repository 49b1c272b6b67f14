import Router from '@koa/router'
import { cancelPrompt, createPrompt, getPrompt, listPrompts, type PromptCreated } from '../../contracts/prompts.ts'
import { findPlaces } from '../agent-places.ts'
import type { Dependencies } from '../dependencies.ts'
import { findExecution, listExecutions } from '../executions.ts'
import { promptItemView, promptView } from '../views/execution.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Prompts: submission of one agent or a chain, lookup, list, cancel. */
export function promptRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })

  serveEndpoint(router, deps, createPrompt, async ({ body, seed }) => {
    const { prompt_name, inputs, mode } = body
    const chain = mode === 'sequential' && body.agents?.length ? body.agents : [prompt_name]
    const [, ...agents] = await findPlaces(deps.store, [prompt_name, ...chain])
    const run = await deps.runs.submit({ kind: 'prompt', agents, mode, prompt_name, inputs, seed })
    const created: PromptCreated = { prompt_id: run._id, status: 'running', agent: prompt_name, mode, agents: chain }
    return created
  })

  serveEndpoint(router, deps, listPrompts, async ({ query }) => {
    const { items, next_cursor } = await listExecutions(deps.store, 'prompt', query)
    return { prompts: items.map(promptItemView), limit: query.limit, next_cursor }
  })

  serveEndpoint(router, deps, getPrompt, async ({ parameters, released }) => {
    return promptView(deps, await findExecution(deps.store, parameters.prompt_id), released)
  })

  serveEndpoint(router, deps, cancelPrompt, async ({ parameters: { prompt_id } }) => {
    const { ok, status } = await deps.runs.cancel(prompt_id)
    return { ok, prompt_id, status }
  })

  return router
}
