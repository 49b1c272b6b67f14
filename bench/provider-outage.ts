import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startWorker } from '../test/support/processes.ts'
import { startProviderServer, type ProviderRequest } from '../test/support/provider-server.ts'
import type { ScriptedAnswer } from '../test/support/providers/scripted-answer.ts'
import { startProxy } from '../test/support/proxy.ts'
import { eventually, startTestService, type TestService } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { largestHistories } from './histories.ts'

/**
 * `node bench/provider-outage.ts --minutes 10`: a provider becomes unavailable during prompts and a batch, and recovers. All runs
 * must complete. Reports the time from the recovery to the end, and the number of calls during the outage.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const AWAY_MS = Number(values.minutes) * 60_000
const PROMPTS = 200
const TASKS = 500
const WORKERS = 2
/** Number of model calls per run, and the duration of each. */
const CALLS = 3
const ANSWER_MS = 3_000
const RECOVERED_WITHIN_MS = 600_000

function answer({ body }: ProviderRequest): ScriptedAnswer {
  const round = body.messages.filter(({ role }) => role === 'tool').length
  if (round === CALLS - 1) return { text: 'done', firstTokenMs: ANSWER_MS }
  return { toolCalls: [{ name: 'double', arguments: { n: round } }], firstTokenMs: ANSWER_MS }
}

const [stack, provider] = await Promise.all([startStack(), startProviderServer(answer)])
const proxy = await startProxy(Number(new URL(provider.url).port))
const env = { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${proxy.port}/v1` }
const service = await startTestService({ stack: stack.env, env })
const others = await Promise.all(Array.from({ length: WORKERS - 1 }, () => startWorker({ env: service.env })))
try {
  await submit(service)
  await eventually(
    () => Promise.resolve(provider.requests.length),
    (count) => count >= PROMPTS,
  )
  proxy.cut()
  const askedBefore = provider.requests.length
  const callsBefore = await failedCalls()
  await sleep(AWAY_MS)
  const callsAway = (await failedCalls()) - callsBefore
  proxy.mend()
  const backAt = Date.now()
  const runs = await eventually(statuses, ({ running }) => running === 0, RECOVERED_WITHIN_MS)
  const recoveredMs = Date.now() - backAt
  const histories = await largestHistories(service.env.TEMPORAL_ADDRESS ?? '')
  console.table({
    'away (minutes)': { value: AWAY_MS / 60_000 },
    'runs completed': { value: runs.completed, goal: PROMPTS + TASKS },
    'runs failed': { value: runs.failed, goal: 0 },
    'failed calls while away, a minute': { value: callsAway / (AWAY_MS / 60_000) },
    'calls before it went away': { value: askedBefore },
    'calls that were made twice': { value: provider.requests.length - CALLS * (PROMPTS + TASKS) },
    'until all had completed (s)': { value: recoveredMs / 1_000 },
    'workflows of prompts': { value: histories.prompt?.workflows, goal: PROMPTS },
    'events of a prompt': { value: (histories.prompt?.eventsOfAll ?? 0) / PROMPTS },
    'events of the batch': { value: histories.batch?.events },
  })
  if (runs.completed !== PROMPTS + TASKS) process.exitCode = 1
} finally {
  await Promise.all(others.map((worker) => worker.stop()))
  await service.stop()
  await proxy.close()
  await provider.close()
  await stack.stop()
}

async function submit({ request }: TestService): Promise<void> {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({ query: `task ${index}` }))
  await request('POST', '/api/agents/provider/batch', { tasks })
  const prompt = (index: number) => ({ prompt_name: 'provider', inputs: { query: `prompt ${index}` } })
  await Promise.all(Array.from({ length: PROMPTS }, (_, index) => request('POST', '/api/prompts', prompt(index))))
}

function failedCalls(): Promise<number> {
  return service.store.traces.countDocuments({ event_type: 'error' })
}

async function statuses(): Promise<Record<'running' | 'completed' | 'failed', number>> {
  const count = (status: 'running' | 'completed' | 'failed') => service.store.executions.countDocuments({ status })
  return { running: await count('running'), completed: await count('completed'), failed: await count('failed') }
}
