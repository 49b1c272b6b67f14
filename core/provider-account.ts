import type { ExecutionKind } from './execution.ts'
import { grown, halved, type AdaptiveLimit } from './adaptive-limit.ts'
import { creditOf, keyParts, type KeyDemand } from './key-shares.ts'

/** What an account of a provider may do: requests and tokens a minute, calls at a time. What is left out is not limited. */
export interface AccountLimits {
  rpm?: number | undefined
  tpm?: number | undefined
  concurrent?: number | undefined
}

/** Who draws first: somebody waits for a chat, nobody for one task of a batch. */
export const CLASSES = ['chat', 'prompt', 'task'] as const
export type CallClass = (typeof CLASSES)[number]

/** The class of the calls of an execution. */
export const CLASS_OF: Record<ExecutionKind, CallClass> = {
  chat: 'chat',
  prompt: 'prompt',
  job: 'prompt',
  task: 'task',
}

/** Calls by their class. */
export type ByClass = Record<CallClass, number>

/** What all workers share of an account. Times are in ms of MongoDB's clock. */
export interface AccountState {
  /** The first moment that is free by requests a minute, and by tokens a minute. */
  requests_at: number
  tokens_at: number
  /** What the provider's headers say; undefined where they say nothing. */
  learned: Pick<AccountLimits, 'rpm' | 'tpm'>
  /** Calls at a time since the provider has pushed back; null when it has not. */
  adaptive: AdaptiveLimit | null
  /** Calls in a row that the provider could not serve; of those in a cool-down only the probes. */
  failures: number
  cooldown: CoolDown | null
  /** Shares of calls at a time, by worker; one that is not renewed is free again. */
  workers: Record<string, WorkerShare>
}

export interface CoolDown {
  /** When the provider began to push back, and when it did so last. */
  since: number
  opened: number
  until: number
  /** Code of the error. */
  code: string
  /** The worker that asks whether it is over; the others wait for what it hears. */
  probe: { worker: string; until: number } | null
}

export interface WorkerShare {
  granted: number
  in_use: number
  waiting: ByClass
  /** Tasks that wait, by API key, and what of their part of the account was not taken yet, in ms; older versions have neither. */
  keys?: KeyDemand[]
  credit?: number
  until: number
}

/** What a worker reports, and asks for. */
export interface Demand {
  worker: string
  inUse: number
  waiting: ByClass
  /** Tasks that wait, by API key. */
  keys: KeyDemand[]
  /** Calls that have no moment to begin yet. */
  asking: ByClass
  /** Tokens that each of the next calls is expected to use. */
  tokensEach: number
  /** Tokens that calls have used beyond what was expected. */
  tokensMore: number
  learned: AccountState['learned']
  /** Calls that were served, and when the latest of them began. */
  served: { count: number; begunAt: number }
  /** Calls that were not. */
  pushback: PushBack | undefined
}

export interface PushBack {
  count: number
  /** Code of the error. */
  code: string
  /** It limits; otherwise it is away. */
  isLimit: boolean
  /** When the latest of the calls began. */
  begunAt: number
  /** Until when the provider asks to be left alone; undefined when it does not say. */
  until: number | undefined
}

/** What a worker may do until it asks again. */
export interface Share {
  /** When calls may begin; undefined where nothing limits them. */
  slots: number[] | undefined
  /** Calls at a time; undefined where nothing limits them. */
  permits: number | undefined
  /** One call may find out whether the cool-down is over. */
  isProbe: boolean
  /** How the worker's tasks share what it gets, by API key. */
  parts: ReadonlyMap<string, number>
}

/** How far ahead calls may take their moment: what draws last leaves the nearest moments to the others. */
const AHEAD_MS: ByClass = { chat: 1_500, prompt: 1_000, task: 500 }
/** What was not used may be made up for, for so long. */
const BEHIND_MS = 250
/** A worker renews its share well within this time, and one that died gives it back after it. */
const LEASE_MS = 10_000
const PROBE_MS = 10_000
/** Failures in a row that are an outage and not bad luck. */
const OUTAGE_FAILURES = 3
const FIRST_COOL_DOWN_MS = 1_000
const LONGEST_COOL_DOWN_MS = 30_000
const MINUTE_MS = 60_000

/** An account that nobody has used yet. */
export function unusedAccount(): AccountState {
  return { requests_at: 0, tokens_at: 0, learned: {}, adaptive: null, failures: 0, cooldown: null, workers: {} }
}

/**
 * One worker's turn: what it reports changes the account, and what is left by the others is its share.
 * @param limits - what the operator allows; undefined limits nothing, but a cool-down holds all the same.
 * @returns the account as it is then, and the share.
 */
export function takeShare(
  before: AccountState,
  demand: Demand,
  limits: AccountLimits | undefined,
  now: number,
): { state: AccountState; share: Share } {
  const workers = Object.entries(before.workers).filter(([id, { until }]) => until > now && id !== demand.worker)
  const learned = { ...before.learned, ...demand.learned }
  const settled = settle({ ...before, workers: Object.fromEntries(workers), learned }, demand, now)
  const probing = probe(settled, demand, now)
  const rates = effectiveRates(limits, learned)
  const mine = before.workers[demand.worker]
  const others = workers.map(([, { keys = [] }]) => keys)
  const parts = keyParts(demand.keys, others)
  const sinceMs = mine === undefined ? Infinity : now - (mine.until - LEASE_MS)
  const credit = creditOf(parts, mine?.credit ?? 0, sinceMs, AHEAD_MS.task + BEHIND_MS)
  const {
    state: timed,
    slots,
    spent,
  } = probing.cooldown === null ? takeSlots(probing, demand, { ...rates, credit }, now) : noSlots(probing)
  const permits = takePermits(timed, demand, mine, limits?.concurrent)
  // Where nothing is limited, nothing is written.
  if (limits === undefined && permits === undefined && timed.cooldown === null)
    return { state: timed, share: { slots, permits, isProbe: false, parts } }
  // Its own earlier one may have been lost.
  const isProbe = timed.cooldown !== null && timed.cooldown.probe !== settled.cooldown?.probe
  return {
    state: withWorker(timed, demand, { permits, credit: credit - spent }, now),
    share: { slots, permits, isProbe, parts },
  }
}

/** The limits that hold: what was learned lowers what is configured, and says what is not. */
function effectiveRates(limits: AccountLimits | undefined, learned: AccountState['learned']): AccountState['learned'] {
  if (limits === undefined) return {}
  return { rpm: lesser(limits.rpm, learned.rpm), tpm: lesser(limits.tpm, learned.tpm) }
}

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

/** What became of calls: a served one ends a cool-down that it began after, one that was pushed back opens one. */
function settle(state: AccountState, { served, pushback, inUse }: Demand, now: number): AccountState {
  let { cooldown, failures, adaptive } = state
  if (served.count > 0 && served.begunAt >= (cooldown?.opened ?? 0)) {
    cooldown = null
    failures = 0
    adaptive = grown(adaptive, served.count)
  }
  if (pushback === undefined) return { ...state, cooldown, failures, adaptive }
  // Calls that were under way already say nothing new.
  if (cooldown !== null && pushback.begunAt < cooldown.opened) {
    const until = Math.max(cooldown.until, pushback.until ?? 0)
    return { ...state, cooldown: { ...cooldown, until }, failures, adaptive }
  }
  // Calls that were refused together say once that something is wrong; each probe after them says it again.
  failures = cooldown === null ? Math.min(failures + pushback.count, OUTAGE_FAILURES) : failures + 1
  const isOpened = pushback.isLimit || pushback.until !== undefined || failures >= OUTAGE_FAILURES
  if (!isOpened && cooldown === null) return { ...state, cooldown, failures, adaptive }
  const until = Math.max(pushback.until ?? 0, now + pauseAfter(failures, pushback.until !== undefined))
  const { code } = pushback
  return {
    ...state,
    failures,
    cooldown: { since: cooldown?.since ?? now, opened: now, until, code, probe: null },
    adaptive: halved(adaptive, inUseOf(state) + inUse + pushback.count, {
      isLimit: pushback.isLimit,
      isProbe: cooldown !== null,
    }),
  }
}

/** How long a provider is left alone; what it asks for itself is believed until it was wrong a few times in a row. */
function pauseAfter(failures: number, hasAsked: boolean): number {
  const doublings = failures - OUTAGE_FAILURES * (hasAsked ? 2 : 1)
  if (hasAsked && doublings <= 0) return 0
  return Math.min(FIRST_COOL_DOWN_MS * 2 ** Math.max(0, doublings), LONGEST_COOL_DOWN_MS)
}

function inUseOf({ workers }: AccountState): number {
  return Object.values(workers).reduce((sum, { in_use }) => sum + in_use, 0)
}

/** When the time of a cool-down is over, one worker asks; the others wait for what it hears. */
function probe(state: AccountState, { worker, waiting }: Demand, now: number): AccountState {
  const { cooldown } = state
  if (cooldown === null || cooldown.until > now || total(waiting) === 0) return state
  if (cooldown.probe !== null && cooldown.probe.until > now) return state
  return { ...state, cooldown: { ...cooldown, probe: { worker, until: now + PROBE_MS } } }
}

function noSlots(state: AccountState): { state: AccountState; slots: undefined; spent: 0 } {
  return { state, slots: undefined, spent: 0 }
}

/** Takes the next free moments, each class as far ahead as it may; GCRA over requests and tokens. */
function takeSlots(
  state: AccountState,
  { asking, tokensEach, tokensMore }: Demand,
  { rpm, tpm, credit }: AccountState['learned'] & { credit: number },
  now: number,
): { state: AccountState; slots: number[] | undefined; spent: number } {
  if (rpm === undefined && tpm === undefined) return noSlots(state)
  const requestMs = rpm === undefined ? 0 : MINUTE_MS / rpm
  const tokenMs = tpm === undefined ? 0 : MINUTE_MS / tpm
  let requestsAt = Math.max(state.requests_at, now - BEHIND_MS)
  // A limit a minute is whole again after that time, whatever a provider says that calls have used.
  let tokensAt = Math.min(Math.max(state.tokens_at, now - BEHIND_MS) + tokensMore * tokenMs, now + MINUTE_MS)
  const slots: number[] = []
  let spent = 0
  for (const name of CLASSES) {
    for (let left = asking[name]; left > 0; left -= 1) {
      const at = Math.max(requestsAt, tokensAt)
      const isEntitled = name !== 'task' || spent < credit || at <= now
      if (at > now + AHEAD_MS[name] || !isEntitled) break
      slots.push(Math.max(at, now))
      requestsAt += requestMs
      tokensAt += tokensEach * tokenMs
      if (name === 'task') spent += Math.max(requestsAt, tokensAt) - at
    }
  }
  return { state: { ...state, requests_at: requestsAt, tokens_at: tokensAt }, slots, spent }
}

/**
 * Calls at a time: as many as are wanted and free; a worker that has more than its part leaves what ends to one that has less.
 */
function takePermits(
  { workers, adaptive }: AccountState,
  { inUse, waiting }: Demand,
  mine: WorkerShare | undefined,
  concurrent: number | undefined,
): number | undefined {
  const limit = lesser(concurrent, adaptive === null ? undefined : Math.floor(adaptive.now))
  if (limit === undefined) return undefined
  const others = Object.values(workers)
  const wanted = inUse + total(waiting)
  const part = Math.floor(limit / (others.filter(wants).length + 1))
  const isHungry = others.some((other) => other.granted < Math.max(1, part) && wants(other) && total(other.waiting) > 0)
  const free = limit - others.reduce((sum, { granted }) => sum + granted, 0)
  const most = isHungry && (mine?.granted ?? 0) > 0 ? part : limit
  return Math.max(inUse, Math.min(wanted, most, free))
}

function wants({ in_use, waiting }: WorkerShare): boolean {
  return in_use + total(waiting) > 0
}

function withWorker(
  state: AccountState,
  { worker, inUse, waiting, keys }: Demand,
  { permits, credit }: { permits: number | undefined; credit: number },
  now: number,
): AccountState {
  if (inUse + total(waiting) === 0) return state
  const until = now + LEASE_MS
  const share: WorkerShare = { granted: permits ?? inUse, in_use: inUse, waiting, keys, credit, until }
  return { ...state, workers: { ...state.workers, [worker]: share } }
}

/** Calls of all classes. */
export function total(calls: ByClass): number {
  return calls.chat + calls.prompt + calls.task
}
