import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Random } from '../chaos/random.ts'
import { freeze } from '../faults/worker-state.ts'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import type { ProviderRequest, ScriptedAnswer } from '../support/provider-server.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { startMoneyScene, type MoneyScene } from './scene.ts'
import { expectBatchSumsAgree, expectSumsAgree, usedByEvents } from './sums.ts'

const JOBS = 20
const TASKS = 15
const FAULTS = 6
const ROUNDS = 4
/** What makes no progress for so long is ended, and asked again. */
const MODEL_TIMEOUT_MS = 4_000
/** Longer than a worker may be silent before others take over what it holds. */
const LONGEST_FREEZE_MS = 14_000
const ENDED_WITHIN_MS = 240_000
const HELD = 'held until it is canceled'

const BUDGETS = [
  { tokens: 300 },
  { usd: 0.002 },
  { tokens: 100_000 },
  { usd: 1, onExceeded: 'answer' },
  { modelCalls: 6 },
]

/** What became of a storm. */
export interface StormEnd {
  /** Statuses that executions ended with. */
  statuses: Set<string>
  calls: number
  /** By how many tokens calls went beyond what had been reserved for them. */
  estimateError: number
}

/**
 * Random runs with budgets under random faults, on a service of its own with two workers, and then the property: events, usage, cost
 * and budgets agree for each run and batch. The seed decides what is submitted, what the provider answers to which call, and the faults;
 * what they meet is a matter of time.
 */
export async function playStorm(seed: number, folder: string): Promise<StormEnd> {
  const answers = new Answers(seed)
  const env = { MODEL_TIMEOUT_MS: String(MODEL_TIMEOUT_MS) }
  const scene = await startMoneyScene((request) => answers.to(request), folder, { env })
  const second = await startWorker({ env: scene.env })
  try {
    const { jobs, batches } = await submitAll(scene, new Random(seed, 'work'))
    await Promise.all([
      strike(scene, [scene.worker, second], jobs, new Random(seed, 'faults')),
      cancelLast(scene, { jobs, batches }, new Random(seed, 'cancels')),
    ])
    const end: StormEnd = { statuses: new Set(), calls: 0, estimateError: 0 }
    for (const id of jobs) end.statuses.add((await untilEnded(scene, id, ENDED_WITHIN_MS)).body.status)
    for (const id of batches) await untilBatchEnded(scene, id)
    const tasks = await scene.store.executions.find({ kind: 'task' }, { projection: { _id: 1 } }).toArray()
    let tokens = 0
    for (const id of [...jobs, ...tasks.map(({ _id }) => _id)]) {
      const used = await expectSumsAgree(scene, id)
      end.calls += used.calls
      end.estimateError += used.estimateError
      tokens += (await usedByEvents(scene, id, 'measured')).tokens
    }
    for (const id of batches) await expectBatchSumsAgree(scene, id)
    expect(tokens, 'tokens that the provider counted').to.be.at.most(answers.tokens)
    return end
  } finally {
    await second.stop()
    await scene.stop()
  }
}

/** The provider: how it treats a call follows from what is asked and how often, not from when. */
class Answers {
  /** Of all answers that it began. */
  tokens = 0
  readonly #seed: number
  readonly #asked = new Map<string, number>()

  constructor(seed: number) {
    this.#seed = seed
  }

  to({ body }: ProviderRequest): ScriptedAnswer {
    const query = String(body.messages.find(({ role }) => role === 'user')?.content)
    const round = body.messages.filter(({ role }) => role === 'tool').length
    const call = `${query} ${round}`
    const time = this.#asked.get(call) ?? 0
    this.#asked.set(call, time + 1)
    return this.#counted(query, round, new Random(this.#seed, `${call} ${time}`))
  }

  #counted(query: string, round: number, random: Random): ScriptedAnswer {
    const fate = random.weighted({ answers: 12, limits: 1, fails: 1, resets: 1, breaksOff: 3 })
    if (fate === 'limits') return { status: 429, headers: { 'retry-after': String(random.between(0, 2)) } }
    if (fate === 'fails') return { status: random.pick([500, 503, 529]) }
    if (fate === 'resets') return { reset: true }
    const usage = { prompt_tokens: random.between(20, 80), completion_tokens: random.between(1, 40) }
    const cached_tokens = random.between(0, usage.prompt_tokens)
    this.tokens += usage.prompt_tokens + usage.completion_tokens
    const shared = {
      usage: random.chance(0.1) ? null : { ...usage, cached_tokens },
      firstTokenMs: random.between(0, 300),
      everyMs: random.between(0, 60),
    }
    if (query === HELD) return { ...shared, text: HELD, breaks: { after: 3, by: 'hang' } }
    if (fate === 'breaksOff') {
      const by = random.pick(['reset', 'end', 'fails', 'hang'] as const)
      return { ...shared, text: 'word '.repeat(20), breaks: { after: random.between(1, 8), by } }
    }
    const isLast = round >= ROUNDS || random.chance(0.15)
    const toolCalls = [{ name: 'double', arguments: { n: round } }]
    return isLast ? { ...shared, text: 'done' } : { ...shared, text: `round ${round}`, toolCalls }
  }
}

interface Submitted {
  jobs: string[]
  batches: string[]
}

/** The first run certainly fails; the last one and the last batch are certainly canceled, if they have not ended before. */
async function submitAll(scene: MoneyScene, random: Random): Promise<Submitted> {
  const batches: string[] = []
  for (const name of ['one', 'two']) {
    const tasks = Array.from({ length: TASKS }, (_, index) => ({ query: `task ${index} of batch ${name}` }))
    const budget = { tokens: random.between(2_000, 20_000), usd: 0.02 }
    const body = { tasks, budget, task_budget: { tokens: 1_000, usd: 1 } }
    batches.push((await scene.request('POST', '/api/agents/spender/batch', body)).body.batch_id)
  }
  const jobs: string[] = []
  for (let index = 0; index <= JOBS; index += 1) {
    const query = index === JOBS ? HELD : `job ${index}`
    const isShared = index < JOBS && random.chance(0.3)
    const tight = index === 0 ? { tokens: 1 } : random.pick(BUDGETS)
    const budget = { tokens: 50_000, usd: 0.5, ...(index < JOBS && tight) }
    const inputs = isShared ? { calls: random.between(2, 8), query } : { query }
    const body = { prompt_name: isShared ? 'director' : 'spender', inputs, budget }
    const submitted = await scene.request('POST', '/api/prompts', body)
    expect(submitted.status, JSON.stringify(submitted.body)).to.equal(200)
    jobs.push(submitted.body.prompt_id)
  }
  return { jobs, batches }
}

/** Kills and stops workers, and cancels runs, one fault after the other. */
async function strike(scene: MoneyScene, workers: ServiceProcess[], jobs: string[], random: Random): Promise<void> {
  for (let fault = 0; fault < FAULTS; fault += 1) {
    await sleep(random.between(300, 2_000))
    const worker = random.pick(workers)
    const kind = random.weighted({ kill: 3, freeze: 2, cancel: 2 })
    if (kind === 'cancel') {
      // The last one is canceled while its answer comes.
      await scene.request('POST', `/api/prompts/${random.pick(jobs.slice(0, -1))}/cancel`)
      continue
    }
    if (kind === 'freeze') {
      freeze(worker)
      await sleep(random.between(200, LONGEST_FREEZE_MS))
      process.kill(worker.pid ?? 0, 'SIGCONT')
      continue
    }
    await worker.kill9()
    await sleep(random.between(0, 1_500))
    await worker.restart()
  }
}

/** Cancels the last run while its answer comes, and the last batch at any time. */
async function cancelLast(scene: MoneyScene, { jobs, batches }: Submitted, random: Random): Promise<void> {
  await sleep(random.between(0, 6_000))
  await scene.request('POST', `/api/batches/${batches.at(-1)}/cancel`)
  await eventually(
    () => Promise.resolve(scene.provider.requests),
    (asked) => asked.some(({ body }) => body.messages.some(({ content }) => content === HELD)),
    ENDED_WITHIN_MS,
  )
  await sleep(random.between(100, 1_000))
  await scene.request('POST', `/api/prompts/${jobs.at(-1)}/cancel`)
}

async function untilBatchEnded(scene: MoneyScene, id: string): Promise<void> {
  await eventually(
    () => scene.request('GET', `/api/batches/${id}?results=false`),
    ({ body }) => body.completed_at !== null,
    ENDED_WITHIN_MS,
  )
}
