import type Router from '@koa/router'
import { cancelPrompt, createPrompt, getPrompt, listPrompts, type PromptCreated } from '../../contracts/prompts.ts'
import { findAgents, requirePrices } from '../runs/known-agents.ts'
import type { Dependencies } from '../dependencies.ts'
import { findExecution, readPrompts } from '../reads/executions.ts'
import { requireAgents } from '../http/api-keys.ts'
import { serveEndpoint, serveSubmission } from '../http/serve-endpoint.ts'
import { promptItemView, promptView } from '../views/execution.ts'

/** Routes of prompts: submission of one agent or a chain, lookup, list, cancel. */
export function servePrompts(router: Router, deps: Dependencies): void {
  serveSubmission(router, deps, createPrompt, {
    submit: async ({ body, caller, seed }) => {
      const { prompt_name, inputs, mode, budget, no_cache } = body
      const chain = mode === 'sequential' && body.agents?.length ? body.agents : [prompt_name]
      requireAgents(caller, [prompt_name, ...chain])
      const [, ...agents] = await findAgents(deps.store, [prompt_name, ...chain])
      requirePrices(agents, budget)
      const submission = { kind: 'prompt', agents, mode, prompt_name, inputs, budget, no_cache, caller, seed } as const
      const run = await deps.runs.submit(submission)
      const created: PromptCreated = { prompt_id: run._id, status: 'running', agent: prompt_name, mode, agents: chain }
      return created
    },
    wait: (created) => created,
    answer: (created) => created,
  })

  serveEndpoint(router, deps, listPrompts, async ({ query, responseClosed: signal }) => {
    const { items, next_cursor } = await readPrompts(deps.store, { ...query, signal })
    return { prompts: items.map(promptItemView), limit: query.limit, next_cursor }
  })

  serveEndpoint(router, deps, getPrompt, async ({ parameters, responseClosed }) => {
    return promptView(deps, await findExecution(deps.store, parameters.prompt_id), responseClosed)
  })

  serveEndpoint(router, deps, cancelPrompt, async ({ parameters: { prompt_id } }) => {
    const { ok, status } = await deps.runs.cancel(prompt_id)
    return { ok, prompt_id, status }
  })
}
