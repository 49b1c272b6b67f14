import type Router from '@koa/router'
import { chatByBody, chatByQuery, type ChatAnswer, type ChatBody } from '../../contracts/agents.ts'
import { findAgents, requirePrices } from '../runs/known-agents.ts'
import type { Dependencies } from '../dependencies.ts'
import { findExecution, stillRunning } from '../reads/executions.ts'
import { requireAgents, type Caller } from '../http/api-keys.ts'
import { jsonObject, type JsonText } from '../http/json-text.ts'
import { newSeed } from '../http/seeded-ids.ts'
import { serveEndpoint, serveSubmission } from '../http/serve-endpoint.ts'
import { outputsText } from '../views/execution.ts'

/** Routes of chat: sends a message to an agent and returns its response. */
export function serveChat(router: Router, deps: Dependencies): void {
  serveEndpoint(router, deps, chatByQuery, async ({ parameters, query, caller, responseClosed }) => {
    const started = await startChat(deps, { agentName: parameters.agent_name, seed: newSeed(), caller, ...query })
    return chatAnswer(deps, await endOfChat(deps, started, responseClosed), responseClosed)
  })

  serveSubmission(router, deps, chatByBody, {
    submit: ({ parameters, body, caller, seed }) =>
      startChat(deps, { agentName: parameters.agent_name, seed, caller, ...body }),
    wait: (started, { responseClosed }) => endOfChat(deps, started, responseClosed),
    answer: (end, { responseClosed }) => chatAnswer(deps, end, responseClosed),
  })
}

interface Chat extends ChatBody {
  agentName: string
  seed: string
  caller: Caller
}

/** A chat in progress and how long its client waits. */
type StartedChat = Pick<ChatBody, 'wait' | 'timeout'> & { task_id: string }

/** How a chat ended from the client's point of view. */
type ChatEnd = Pick<ChatAnswer, 'task_id' | 'status' | 'message'>

async function startChat(deps: Dependencies, options: Chat): Promise<StartedChat> {
  const { agentName: prompt_name, message, wait, timeout, budget, no_cache, seed, caller } = options
  requireAgents(caller, [prompt_name])
  const agents = await findAgents(deps.store, [prompt_name])
  requirePrices(agents, budget)
  const submission = {
    agents,
    mode: 'single',
    prompt_name,
    inputs: { message },
    no_cache,
    budget,
    caller,
    seed,
  } as const
  const { _id: task_id } = await deps.runs.submit({ kind: 'chat', ...submission })
  return { task_id, wait, timeout }
}

async function endOfChat(
  deps: Dependencies,
  { task_id, wait, timeout }: StartedChat,
  responseClosed: AbortSignal,
): Promise<ChatEnd> {
  if (!wait) return { task_id, status: 'submitted' }
  const timeUp = AbortSignal.timeout(Math.ceil(timeout * 1_000))
  const ended = await deps.runs.waitForEnd(task_id, AbortSignal.any([responseClosed, deps.waitsEnd, timeUp]))
  if (ended !== undefined) return { task_id, status: ended.status as ChatAnswer['status'] }
  if (timeUp.aborted) return { task_id, status: 'timeout', message: timeUpMessage(task_id, timeout) }
  throw stillRunning(`GET /api/responses/${task_id}/resolved returns the response later.`)
}

async function chatAnswer(
  deps: Dependencies,
  end: ChatEnd,
  responseClosed: AbortSignal,
): Promise<ChatAnswer | JsonText> {
  if (end.status === 'submitted' || end.status === 'timeout') return end
  const response = await outputsText(deps, await findExecution(deps.store, end.task_id), responseClosed)
  return jsonObject<ChatAnswer>({ ...end, response })
}

function timeUpMessage(id: string, seconds: number): string {
  return `No response within ${seconds} s. The task continues; GET /api/responses/${id}/resolved returns the response later.`
}
