import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, type Caller, type Reply } from './http.ts'
import { now, type Journal } from './journal.ts'
import { Random } from './random.ts'
import { Told } from './check-told.ts'
import type { Subject } from './subject.ts'
import { watchSubject } from './watching.ts'
import { drawWork, type Work } from './work.ts'

/** Submissions whose fate the client does not know, by marker. */
export interface Unsure {
  work: Work
  refused: boolean
}

export interface ClientsOptions {
  urls: string[]
  headers: Record<string, string>
  journal: Journal
  seed: number
  clients: number
}

export interface Clients {
  subjects: Subject[]
  unsure: Unsure[]
  /** What clients saw that must not be. */
  violations: string[]
  /** Ends the load; streams go on until they are complete. */
  end: () => Promise<void>
  /** Resolves when every stream that can end has ended. */
  streams: (withinMs: number) => Promise<void>
}

type State = Pick<Clients, 'subjects' | 'unsure' | 'violations'> & {
  open: Set<Promise<void>>
  closing: AbortController
}

const ACTIONS = {
  prompt: 12,
  job: 4,
  chat: 5,
  batch: 3,
  addTasks: 3,
  poll: 30,
  list: 5,
  cancel: 4,
  replay: 2,
  remove: 2,
  watch: 10,
}
/** Above this much unfinished work a client only looks on. */
const MAX_OPEN = 40
const MAX_STREAMS = 40
const TIMEOUT_MS = 90_000

/** Starts clients that use everything the interface offers, at random, and write down what they are told. */
export function startClients({ urls, headers, journal, seed, clients }: ClientsOptions): Clients {
  const state: State = { subjects: [], unsure: [], violations: [], open: new Set(), closing: new AbortController() }
  const ending = new AbortController()
  const running = Array.from({ length: clients }, (_, index) => {
    const who = `client-${index}`
    return runClient({ who, urls, headers, journal, random: new Random(seed, who) }, state, ending.signal)
  })
  return {
    ...state,
    end: async () => {
      ending.abort()
      await Promise.all(running)
    },
    streams: async (withinMs) => {
      await Promise.race([Promise.all(state.open), sleep(withinMs, undefined, { ref: false })])
      if (state.open.size > 0) state.violations.push(`${state.open.size} streams are not complete`)
      state.closing.abort()
      await Promise.all(state.open)
    },
  }
}

async function runClient(caller: Caller, state: State, signal: AbortSignal): Promise<void> {
  const { random } = caller
  while (!signal.aborted) {
    await sleep(random.between(20, 600), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const action = random.weighted(ACTIONS)
    const open = state.subjects.filter(({ ended, deleted }) => !ended && !deleted).length
    const submits = ['prompt', 'job', 'chat', 'batch', 'addTasks', 'replay'].includes(action)
    await act(caller, state, submits && open > MAX_OPEN ? 'poll' : action)
  }
}

async function act(caller: Caller, state: State, action: keyof typeof ACTIONS): Promise<void> {
  const { random } = caller
  const alive = state.subjects.filter(({ deleted }) => !deleted)
  const recent = alive.slice(-60)
  const subject = recent.length === 0 ? undefined : random.pick(recent)
  if (action === 'prompt') return submitPrompt(caller, state)
  if (action === 'job') return submitJob(caller, state)
  if (action === 'chat') return submitChat(caller, state)
  if (action === 'batch') return submitBatch(caller, state)
  if (action === 'list') return list(caller)
  if (subject === undefined) return
  if (action === 'addTasks') return addTasks(caller, state, subject)
  if (action === 'cancel') return cancel(caller, state, subject)
  if (action === 'replay') return replay(caller, state, subject)
  if (action === 'remove') return remove(caller, state, subject)
  if (action === 'watch') return void watch(caller, state, subject)
  const { body, status } = await poll(caller, subject)
  if (status === 200) subject.ended = body.completed_at !== null
}

interface Submission {
  method?: string
  path: string
  body?: unknown
  work: Work[]
  timeoutMs?: number
}

/**
 * Submits; under a key again and again until it is accepted, and sometimes once more after that.
 * @param idsOf - what was accepted, of a good response.
 */
async function submit(
  caller: Caller,
  state: State,
  { method = 'POST', path, body, work, timeoutMs }: Submission,
  accepted: (reply: Reply) => string,
): Promise<void> {
  const { random, who } = caller
  const key = method === 'POST' && random.chance(0.6) ? randomUUID() : undefined
  const until = now() + TIMEOUT_MS
  for (;;) {
    const reply = await call(caller, method, path, body, { key, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
    if (reply.status === 200) {
      const id = accepted(reply)
      if (key !== undefined && random.chance(0.2)) {
        const again = await call(caller, method, path, body, { key, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
        const other = again.status === 200 ? idOf(again) : id
        if (other !== id) state.violations.push(`${who}: one Idempotency-Key gave ${id} and ${other}`)
      }
      return
    }
    if (reply.status >= 400 && reply.status !== 503 && reply.status !== 502) {
      state.violations.push(`${who}: ${method} ${path} gave ${reply.status} ${reply.body?.detail}`)
      return
    }
    if (key === undefined || now() > until) {
      const refused = key === undefined && /nothing was (started|stored)/.test(String(reply.body?.detail))
      state.unsure.push(...work.map((each) => ({ work: each, refused })))
      return
    }
    await sleep(random.between(200, 2_000))
  }
}

function idOf({ body }: Reply): string {
  return String(body.prompt_id ?? body.job_id ?? body.task_id ?? JSON.stringify(body.task_ids ?? body.added_task_ids))
}

function addSubject(
  state: State,
  kind: Subject['kind'],
  id: string,
  work: Work[],
  more: Partial<Subject> = {},
): string {
  const told = new Told(id, kind === 'batch')
  state.subjects.push({ id, kind, work, tasks: [], ended: false, deleted: false, told, ...more })
  return id
}

async function submitPrompt(caller: Caller, state: State): Promise<void> {
  const work = drawWork(caller.random)
  const chain = work.agents === undefined ? {} : { mode: 'sequential', agents: work.agents }
  const body = { prompt_name: work.agent, inputs: work.inputs, ...chain }
  await submit(caller, state, { path: '/api/prompts', body, work: [work] }, (reply) =>
    addSubject(state, 'prompt', reply.body.prompt_id, [work]),
  )
}

async function submitJob(caller: Caller, state: State): Promise<void> {
  const work = drawWork(caller.random)
  if (work.agents !== undefined || work.agent === 'napper') return
  const body = { pipeline_name: work.agent, inputs: work.inputs }
  // Now and then a client leaves before the end.
  const timeoutMs = caller.random.chance(0.2) ? 500 : 60_000
  await submit(caller, state, { path: '/api/jobs', body, work: [work], timeoutMs }, (reply) =>
    addSubject(state, 'job', reply.body.job_id, [work], { ended: true }),
  )
}

async function submitChat(caller: Caller, state: State): Promise<void> {
  const { random } = caller
  const marker = randomUUID()
  const work: Work = { agent: 'quick', marker, inputs: { marker, bytes: 0 } }
  const wait = random.chance(0.7)
  const timeout = random.pick([0.05, 5, 30])
  const path = '/api/agents/quick/chat'
  const submission = random.chance(0.5)
    ? { method: 'GET', path: `${path}?message=${marker}&wait=${wait}&timeout=${timeout}`, work: [work] }
    : { path, body: { message: marker, wait, timeout }, work: [work] }
  await submit(caller, state, submission, (reply) => addSubject(state, 'chat', reply.body.task_id, [work]))
}

function drawTasks(random: Random): Work[] {
  return Array.from({ length: random.chance(0.1) ? 150 : random.between(1, 25) }, () => {
    const marker = randomUUID()
    return {
      agent: 'quick',
      marker,
      inputs: { marker, ms: random.between(0, 400), bytes: random.chance(0.1) ? 25_000 : 10 },
    }
  })
}

async function submitBatch(caller: Caller, state: State): Promise<void> {
  const { random } = caller
  const work = random.chance(0.4) ? Array.from({ length: random.between(1, 8) }, () => toil(random)) : drawTasks(random)
  const agent = (work[0] as Work).agent
  const wait = random.chance(0.2)
  const batch_id = random.chance(0.3) ? `batch-${randomUUID()}` : null
  const body = { tasks: work.map(({ inputs }) => inputs), wait, batch_id }
  await submit(caller, state, { path: `/api/agents/${agent}/batch`, body, work, timeoutMs: 60_000 }, (reply) => {
    addSubject(state, 'batch', reply.body.batch_id, work, { tasks: reply.body.task_ids })
    return idOf(reply)
  })
}

function toil(random: Random): Work {
  const marker = randomUUID()
  const ms = random.between(0, 1_000)
  return { agent: 'toiler', marker, inputs: { marker, at: '0', steps: random.between(1, 2), calls: 2, ms, bytes: 10 } }
}

async function addTasks(caller: Caller, state: State, subject: Subject): Promise<void> {
  if (subject.kind !== 'batch') return
  const work = drawTasks(caller.random).slice(0, 10)
  const body = { agent_name: 'quick', tasks: work.map(({ inputs }) => inputs), wait: caller.random.chance(0.2) }
  const { random } = caller
  const key = random.chance(0.7) ? randomUUID() : undefined
  const path = `/api/batches/${subject.id}/add-tasks`
  const reply = await call(caller, 'POST', path, body, { key, timeoutMs: 60_000 })
  if (reply.status === 200) {
    subject.work.push(...work)
    subject.tasks.push(...reply.body.added_task_ids)
    subject.ended = false
  } else if (reply.status === 503 || reply.status === 0) {
    const refused = /nothing was stored/.test(String(reply.body?.detail))
    state.unsure.push(...work.map((each) => ({ work: each, refused })))
  } else if (
    !(reply.status === 400 && /canceled/.test(reply.body.detail)) &&
    !(reply.status === 404 && subject.deleted)
  ) {
    state.violations.push(`${caller.who}: POST ${path} gave ${reply.status} ${reply.body?.detail}`)
  }
}

async function cancel(caller: Caller, state: State, { id, kind, tasks }: Subject): Promise<void> {
  const { random } = caller
  const task = kind === 'batch' && random.chance(0.5) ? random.pick(tasks) : undefined
  const path =
    kind === 'batch' && task === undefined
      ? `/api/batches/${id}/cancel`
      : `/api/${random.pick(['prompts', 'jobs'])}/${task ?? id}/cancel`
  await call(caller, 'POST', path)
}

async function replay(caller: Caller, state: State, subject: Subject): Promise<void> {
  if (subject.kind === 'batch') return
  const path = `/api/jobs/${subject.id}/replay`
  if (caller.random.chance(0.5)) {
    await call(caller, 'POST', path, { reexecute: false })
    return
  }
  const reply = await call(caller, 'POST', path, { reexecute: true, wait: false })
  // It has the marker of the first: what comes of it is looked at, what it does is not counted.
  if (reply.status === 200) addSubject(state, 'job', reply.body.job_id, [])
}

async function remove(caller: Caller, state: State, subject: Subject): Promise<void> {
  if (!subject.ended || caller.random.chance(0.5)) return
  subject.deleted = true
  const path = subject.kind === 'batch' ? `/api/batches/${subject.id}` : `/api/jobs/${subject.id}`
  const { status } = await call(caller, 'DELETE', path)
  if (status === 409) subject.deleted = false
}

/** Asks for a subject in one of the ways that there are. */
export async function poll(caller: Caller, subject: Subject): Promise<Reply> {
  const { id, kind } = subject
  const resource = kind === 'batch' ? 'batches' : kind === 'prompt' ? caller.random.pick(['prompts', 'jobs']) : 'jobs'
  const reply = await call(caller, 'GET', `/api/${resource}/${id}`)
  if (reply.status === 200) subject.told.add(reply, reply.body)
  return reply
}

const LISTS = [
  ...['/api/prompts', '/api/jobs?limit=20', '/api/batches', '/api/traces?limit=50', '/api/traces/grouped?limit=5'],
  ...['/api/metrics', '/api/health', '/api/agents', '/api/agents/toiler/tools'],
]

async function list(caller: Caller): Promise<void> {
  await call(caller, 'GET', caller.random.pick(LISTS))
}

function watch(caller: Caller, state: State, subject: Subject): void {
  if (state.open.size >= MAX_STREAMS) return
  const watching = watchSubject(caller, subject, state.closing.signal).then((violations) => {
    state.violations.push(...violations)
    state.open.delete(watching)
  })
  state.open.add(watching)
}
