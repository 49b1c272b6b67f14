import Router from '@koa/router'
import { chatByBody, chatByQuery, type ChatAnswer, type ChatBody } from '../../contracts/agents.ts'
import { findPlaces } from '../agent-places.ts'
import type { Dependencies } from '../dependencies.ts'
import { stillRunning } from '../executions.ts'
import { jsonObject, type JsonText } from '../http/json-text.ts'
import { newSeed } from '../http/seeded-ids.ts'
import { outputsText } from '../views/execution.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Chat: one message to an agent, answered when it answers. */
export function chatRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })

  serveEndpoint(router, deps, chatByQuery, ({ parameters, query, released }) =>
    chat(deps, { agentName: parameters.agent_name, seed: newSeed(), released, ...query }),
  )

  serveEndpoint(router, deps, chatByBody, ({ parameters, body, seed, released }) =>
    chat(deps, { agentName: parameters.agent_name, seed, released, ...body }),
  )

  return router
}

interface Chat extends ChatBody {
  agentName: string
  seed: string
  released: AbortSignal
}

async function chat(deps: Dependencies, options: Chat): Promise<ChatAnswer | JsonText> {
  const { agentName: prompt_name, message, wait, timeout, seed, released } = options
  const agents = await findPlaces(deps.store, [prompt_name])
  const inputs = { message }
  const { _id: task_id } = await deps.runs.submit({ kind: 'chat', agents, mode: 'single', prompt_name, inputs, seed })
  if (!wait) return { task_id, status: 'submitted' }
  const timeUp = AbortSignal.timeout(Math.ceil(timeout * 1_000))
  const ended = await deps.runs.waitForEnd(task_id, AbortSignal.any([released, deps.closing, timeUp]))
  if (ended !== undefined) {
    const response = await outputsText(deps, ended, released)
    return jsonObject<ChatAnswer>({ task_id, status: ended.status as ChatAnswer['status'], response })
  }
  if (timeUp.aborted) return { task_id, status: 'timeout', message: timeUpMessage(task_id, timeout) }
  throw stillRunning(`GET /api/responses/${task_id}/resolved has the answer later.`)
}

function timeUpMessage(id: string, seconds: number): string {
  return `No answer within ${seconds} s. The task goes on; GET /api/responses/${id}/resolved has the answer later.`
}
