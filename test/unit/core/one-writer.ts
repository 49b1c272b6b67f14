import { decideTake, mayWrite, type Take, type WriteCondition } from '../../../core/transitions.ts'

/** Steps of the run, each resting on the one before it. */
const STEPS = ['m0', 'm1'] as const
/** Tries of one worker: each takes the run anew. */
const MAX_TRIES = 3

/** What is stored of the run. */
interface Record {
  status: 'running' | 'completed' | 'failed' | 'canceled'
  atRest: boolean
  take: Take | null
  /** Who recorded each step. */
  steps: { [step: string]: string }
}

/** A worker that runs the run, between two of its atomic actions. */
interface Attempt {
  name: 'A' | 'B'
  crashed: boolean
  tries: number
  /** What it does next. */
  at: 'look' | 'take' | 'read' | 'begin' | 'write' | 'end' | 'gone'
  id: string
  seen: Take | null
  /** Steps that it knows to be recorded. */
  known: string[]
  change: Pick<Take, 'n' | 'lost' | 'records'> | null
}

/** Everything at one moment, as plain data. */
export interface World {
  record: Record
  attempts: Attempt[]
  /** Events that may still happen once each. */
  left: ('cancel' | 'stop' | 'fail' | 'crash A')[]
  /** What went wrong. */
  violation: string | null
}

/** Two workers before they begin, with everything that may get in their way. */
export function beginning(): World {
  const attempt = (name: 'A' | 'B'): Attempt => ({
    ...{ name, crashed: false, tries: 0, at: 'look', id: '', seen: null, known: [], change: null },
  })
  return {
    record: { status: 'running', atRest: false, take: null, steps: {} },
    attempts: [attempt('A'), attempt('B')],
    left: ['cancel', 'stop', 'fail', 'crash A'],
    violation: null,
  }
}

/** Every world that may come next: one actor does one atomic thing, or an event happens. A pause is an actor that does nothing. */
export function nextWorlds(world: World): World[] {
  const acted = world.attempts.flatMap((attempt, index) =>
    attempt.crashed || attempt.at === 'gone' ? [] : stepsOf(world, index),
  )
  return [...acted, ...world.left.flatMap((event) => happened(world, event))]
}

/** Whether nothing can happen any more but what nobody is obliged to do. */
export function isSettled({ attempts }: World): boolean {
  return attempts.every(({ at, crashed }) => crashed || at === 'gone')
}

function stepsOf(world: World, index: number): World[] {
  const { at } = world.attempts[index] as Attempt
  // Who is taken for dead is anybody's guess: the protocol may be slow when the guess is wrong, and never unsafe.
  if (at === 'look') return [true, false].map((alive) => change(world, index, (w, a) => look(w, a, alive)))
  const actions = { take, read, begin, write, end, gone: () => undefined }
  return [change(world, index, actions[at])]
}

function look({ record }: World, attempt: Attempt, alive: boolean): void {
  if (record.status !== 'running' || attempt.tries >= MAX_TRIES) return void (attempt.at = 'gone')
  const seen = record.take
  const records = Object.keys(record.steps).length
  const isAlive = (worker: string): boolean => alive || worker === attempt.name
  const decision = decideTake({ seen: seen ?? undefined, isAlive, me: attempt.name, records, tried: 'maybe' })
  if (decision.action === 'wait') return
  if (decision.action === 'give_up') return void finish(record, 'failed')
  Object.assign(attempt, { at: 'take', seen, change: decision.take, tries: attempt.tries + 1 })
  attempt.id = `${attempt.name}${attempt.tries}`
}

function take(world: World, attempt: Attempt): void {
  const { record } = world
  const takesFrom = attempt.seen?.attempt ?? null
  if (!allowed(record, { attempt: attempt.id, takesFrom })) return again(attempt)
  record.take = { ...(attempt.change as Take), attempt: attempt.id, worker: attempt.name }
  attempt.at = 'read'
}

function read({ record }: World, attempt: Attempt): void {
  attempt.known = Object.keys(record.steps)
  attempt.at = attempt.known.length === STEPS.length ? 'end' : 'begin'
}

/** The effect outside: a paid call. */
function begin(world: World, attempt: Attempt): void {
  const step = STEPS[attempt.known.length] as string
  const holds = world.record.take?.attempt === attempt.id
  if (holds && step in world.record.steps) world.violation = `${attempt.id} begins ${step}, which is recorded`
  attempt.at = 'write'
}

function write(world: World, attempt: Attempt): void {
  const { record } = world
  const step = STEPS[attempt.known.length] as string
  if (!allowed(record, { attempt: attempt.id })) return again(attempt)
  guardWriter(world, attempt)
  if (step in record.steps) world.violation = `${attempt.id} changes ${step} of ${record.steps[step]}`
  record.steps[step] = attempt.id
  attempt.known.push(step)
  attempt.at = attempt.known.length === STEPS.length ? 'end' : 'begin'
}

function end(world: World, attempt: Attempt): void {
  const { record } = world
  if (!allowed(record, { attempt: attempt.id, ends: 'completed' })) return again(attempt)
  guardWriter(world, attempt)
  if (STEPS.some((step) => !(step in record.steps))) world.violation = `${attempt.id} ends what is not done`
  if (!finish(record, 'completed')) world.violation = `${attempt.id} ends what has ended`
  attempt.at = 'gone'
}

function guardWriter(world: World, { id }: Attempt): void {
  if (world.record.take?.attempt !== id)
    world.violation = `${id} writes, and ${world.record.take?.attempt} holds the run`
  if (world.record.atRest) world.violation = `${id} writes to what has come to rest`
}

/** A refused attempt looks again. */
function again(attempt: Attempt): void {
  Object.assign(attempt, { at: 'look', id: '', seen: null, known: [], change: null })
}

function happened(world: World, event: World['left'][number]): World[] {
  const next = structuredClone(world)
  next.left = next.left.filter((each) => each !== event)
  const { record } = next
  if (event === 'crash A') (next.attempts[0] as Attempt).crashed = true
  if (event === 'cancel') {
    if (!allowed(record, { ends: 'canceled' })) return []
    record.status = 'canceled'
    // One that nobody has begun has nothing left to stop.
    record.atRest = record.take === null
  }
  if (event === 'fail') {
    if (!allowed(record, { ends: 'failed' })) return []
    finish(record, 'failed')
  }
  if (event === 'stop') {
    if (record.status !== 'canceled' || record.atRest) return []
    record.atRest = true
  }
  return [next]
}

function finish(record: Record, status: 'completed' | 'failed'): boolean {
  if (record.status !== 'running') return false
  Object.assign(record, { status, atRest: true })
  return true
}

function allowed({ status, atRest, take: held }: Record, condition: WriteCondition): boolean {
  return mayWrite({ status, atRest, attempt: held?.attempt }, condition)
}

function change(world: World, index: number, action: (world: World, attempt: Attempt) => void): World {
  const next = structuredClone(world)
  action(next, next.attempts[index] as Attempt)
  return next
}
