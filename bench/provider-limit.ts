import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '../test/support/processes.ts'
import { startProviderServer, type ProviderRequest } from '../test/support/provider-server.ts'
import { enforced } from '../test/support/providers/rate-limit.ts'
import { eventually, startTestService } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { timesOf } from './statistics.ts'

/**
 * `node bench/provider-limit.ts`: an account of ten requests per second, a batch of 500 on four workers, and concurrent chats.
 * Reports the duration of the batch relative to the ideal time, the calls that the provider rejected, and the delay of chats.
 */
const PER_SECOND = 10
const TASKS = 500
const WORKERS = 4
const CHAT_EVERY_MS = 3_000
/** Time until the initial capacity is used up and each worker has its share. */
const WARM_UP_MS = 5_000

const rate = enforced({ requestsPerSecond: PER_SECOND }, { text: 'let in', firstTokenMs: 300 })
const refusedAt: number[] = []
/** When the provider received the call of each chat. */
const chats = new Map<string, number>()
const stack = await startStack()
const provider = await startProviderServer((request: ProviderRequest) => {
  const [, chat] = /(chat \d+)/.exec(JSON.stringify(request.body.messages)) ?? []
  const answer = rate.script(request)
  if ('status' in answer) refusedAt.push(Date.now())
  else if (chat !== undefined) chats.set(chat, Date.now())
  return answer
})
const LIMITS = JSON.stringify({ 'openai-compatible': { rpm: PER_SECOND * 60 } })
const env = { LIMITS, OPENAI_COMPATIBLE_BASE_URL: provider.url }
const service = await startTestService({ stack: stack.env, env })
const others = await Promise.all(Array.from({ length: WORKERS - 1 }, () => startWorker({ env: service.env })))
try {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({ query: `task ${index}` }))
  const beganAt = Date.now()
  const { body } = await service.request('POST', '/api/agents/provider/batch', { tasks })
  let isOver = false
  const chatting = chat(() => isOver)
  const ended = await eventually(
    () => service.request('GET', `/api/batches/${body.batch_id}?results=false&inputs=false&ids=false`),
    (found) => found.body.status === 'completed',
    600_000,
  )
  const seconds = (Date.now() - beganAt) / 1_000
  isOver = true
  const waits = await chatting
  const ideal = (TASKS + waits.length) / PER_SECOND
  const { p50, max } = timesOf(waits)
  console.table({
    'tasks that succeeded': { value: ended.body.outputs.summary.succeeded, goal: String(TASKS) },
    'time (s)': { value: seconds, ideal, ratio: seconds / ideal, goal: '≤ 1.1' },
    'refused in the first 5 s': { value: refusedAt.filter((at) => at - beganAt <= WARM_UP_MS).length },
    'refused after that': { value: refusedAt.filter((at) => at - beganAt > WARM_UP_MS).length, goal: '0' },
    'chats begin after (ms), p50': { value: p50 },
    'chats begin after (ms), max': { value: max, goal: '≤ 2,000' },
  })
} finally {
  await Promise.all(others.map((worker) => worker.stop()))
  await service.stop()
  await provider.close()
  await stack.stop()
}

/** Sends one chat after the other. @returns the delay of each until the provider received its call, in ms */
async function chat(isOver: () => boolean): Promise<number[]> {
  const waits: number[] = []
  for (let index = 0; !isOver(); index += 1) {
    await sleep(CHAT_EVERY_MS)
    const name = `chat ${index}`
    const since = Date.now()
    await service.request('POST', '/api/agents/provider/chat', { message: name })
    waits.push((chats.get(name) ?? Infinity) - since)
  }
  return waits
}
