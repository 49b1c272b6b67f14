import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApi, startWorker } from '../test/support/processes.ts'
import { request, TEST_AGENTS } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { processUse } from './process-use.ts'

const RUNS = 1_000
const CALLS = 3
const ANSWER_MS = 2_000
const IDEAL_MS = CALLS * ANSWER_MS
const WITHIN_MS = 180_000

/**
 * S7: `node bench/concurrent-runs.ts`: a thousand concurrent runs on one worker, each with three calls of a local model server
 * that takes two seconds. Reports the total time relative to the ideal time, and the worker's memory per run.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  const [stack, model] = await Promise.all([startStack(), startModel()])
  const provider = { OPENAI_COMPATIBLE_BASE_URL: model.url, OPENAI_COMPATIBLE_API_KEY: 'bench' }
  const env = { ...stack.env, ...provider, AGENTS_DIR: TEST_AGENTS, TEST_FOLDER: folder }
  const [api, worker] = await Promise.all([startApi({ env }), startWorker({ env })])
  try {
    await batch(api.url, 20)
    const before = processUse(worker.pid as number)
    const watch = watchMemory(worker.pid as number)
    const startedAt = performance.now()
    await batch(api.url, RUNS)
    const ms = performance.now() - startedAt
    const peak = watch.stop()
    const cpuMs = processUse(worker.pid as number).cpuMs - before.cpuMs
    console.table({
      'time (s)': { value: ms / 1_000, ideal: IDEAL_MS / 1_000, ratio: ms / IDEAL_MS, goal: '≤ 1.3' },
      'worker KB a run': { value: (peak - before.rssBytes) / 1_024 / RUNS, goal: '≤ 400' },
      'worker CPU ms a step': { value: cpuMs / (RUNS * CALLS) },
      'calls in flight at most': { value: model.most() },
    })
  } finally {
    await Promise.all([api.stop(), worker.stop()])
    await stack.stop()
    model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function batch(url: string, tasks: number): Promise<void> {
  const body = { tasks: Array.from({ length: tasks }, (_, index) => ({ query: `run ${index}` })) }
  const { body: submitted } = await request(url, 'POST', '/api/agents/provider/batch', body)
  const path = `/api/batches/${submitted.batch_id}?results=false&inputs=false&ids=false`
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; await sleep(100)) {
    const { body: now } = await request(url, 'GET', path)
    if (now.status !== 'completed') continue
    if (now.outputs.summary.succeeded === tasks) return
    throw new Error(`Not all of them succeeded: ${JSON.stringify(now.outputs.summary)}`)
  }
  throw new Error(`${tasks} runs did not end within ${WITHIN_MS} ms.`)
}

/** A model that requests a tool twice and then responds with text, each after two seconds. */
async function startModel() {
  let inFlight = 0
  let most = 0
  const server = createServer(async (incoming, response) => {
    most = Math.max(most, (inFlight += 1))
    const text = Buffer.concat(await incoming.toArray()).toString()
    const { messages } = JSON.parse(text) as { messages: { role: string }[] }
    const round = messages.filter(({ role }) => role === 'tool').length
    await sleep(ANSWER_MS)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answerOf(round))
    inFlight -= 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { url, most: () => most, close: () => void server.close() }
}

function answerOf(round: number): string {
  const call = { index: 0, id: `call_${round}`, type: 'function', function: { name: 'double', arguments: '{"n":1}' } }
  const delta = round < CALLS - 1 ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: 'done' }
  const chunk = (choices: object[], more = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`
  const finish = { index: 0, delta: {}, finish_reason: round < CALLS - 1 ? 'tool_calls' : 'stop' }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  return `${chunk([{ index: 0, delta, finish_reason: null }])}${chunk([finish])}${chunk([], { usage })}data: [DONE]\n\n`
}

function watchMemory(pid: number): { stop: () => number } {
  let peak = 0
  const look = (): void => void (peak = Math.max(peak, processUse(pid).rssBytes))
  const timer = setInterval(look, 100)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return peak
    },
  }
}

await main()
