import type { ExecutionKind } from './execution.ts'
import { grown, halved, type AdaptiveLimit } from './adaptive-limit.ts'
import { creditOf, keyParts, type KeyDemand } from './key-shares.ts'

/**
 * Limits of a provider account: requests and tokens per minute, and concurrent calls. A missing limit does not apply.
 */
export interface AccountLimits {
  rpm?: number | undefined
  tpm?: number | undefined
  concurrent?: number | undefined
}

/** Classes in order of precedence: a person waits for a chat, nobody for a single task of a batch. */
export const CLASSES = ['chat', 'prompt', 'task'] as const
export type CallClass = (typeof CLASSES)[number]

/** The class of an execution's calls. */
export const CLASS_OF: Record<ExecutionKind, CallClass> = {
  chat: 'chat',
  prompt: 'prompt',
  job: 'prompt',
  task: 'task',
}

/** Calls by their class. */
export type ByClass = Record<CallClass, number>

/** The account state that all workers share. Times are in ms of MongoDB's clock. */
export interface AccountState {
  /** The first free slot under the requests limit, and under the tokens limit. */
  requests_at: number
  tokens_at: number
  /** Limits reported in the provider's headers; undefined if the headers contain none. */
  learned: Pick<AccountLimits, 'rpm' | 'tpm'>
  /** Concurrent calls allowed since the provider pushed back; null if it has not. */
  adaptive: AdaptiveLimit | null
  /** Consecutive calls that the provider could not serve. During a cool-down only probes count. */
  failures: number
  cooldown: CoolDown | null
  /** Shares of concurrent calls, by worker. A share that is not renewed expires. */
  workers: Record<string, WorkerShare>
}

export interface CoolDown {
  /** When the provider began to push back, and when it last did. */
  since: number
  opened: number
  until: number
  /** Code of the error. */
  code: string
  /** The worker that currently tests whether the cool-down is over; all others wait for the outcome. */
  probe: { worker: string; until: number } | null
}

export interface WorkerShare {
  granted: number
  in_use: number
  waiting: ByClass
  /** Waiting tasks by API key, and the untaken part of their share in ms; absent in older versions. */
  keys?: KeyDemand[]
  credit?: number
  until: number
}

/** A worker's report and request. */
export interface Demand {
  worker: string
  inUse: number
  waiting: ByClass
  /** Waiting tasks, by API key. */
  keys: KeyDemand[]
  /** Calls without a slot. */
  asking: ByClass
  /** Expected tokens of each of the next calls. */
  tokensEach: number
  /** Tokens that calls used beyond the estimate. */
  tokensMore: number
  learned: AccountState['learned']
  /** Number of served calls, and when the latest of them began. */
  served: { count: number; begunAt: number }
  /** The calls that were not served. */
  pushback: PushBack | undefined
}

export interface PushBack {
  count: number
  /** Code of the error. */
  code: string
  /** The provider reported a rate limit; otherwise it was unavailable. */
  isLimit: boolean
  /** When the latest of the calls began. */
  begunAt: number
  /** The time until which the provider asks for no calls; undefined if it names none. */
  until: number | undefined
}

/** What a worker may do until its next request. */
export interface Share {
  /** Times at which calls may begin; undefined if there is no rate limit. */
  slots: number[] | undefined
  /** Concurrent calls; undefined if there is no limit. */
  permits: number | undefined
  /** The worker may make one call as a probe of the cool-down. */
  isProbe: boolean
  /** How the worker's tasks divide the share, by API key. */
  parts: ReadonlyMap<string, number>
}

/** How far ahead calls may take slots; lower classes leave the nearest slots to higher classes. */
const AHEAD_MS: ByClass = { chat: 1_500, prompt: 1_000, task: 500 }
/** How far unused capacity may be made up. */
const BEHIND_MS = 250
/** The lifetime of a share. Workers renew it well before; the share of a dead worker becomes free after it. */
const LEASE_MS = 10_000
const PROBE_MS = 10_000
/** Consecutive failures that count as an outage. */
const OUTAGE_FAILURES = 3
const FIRST_COOL_DOWN_MS = 1_000
const LONGEST_COOL_DOWN_MS = 30_000
const MINUTE_MS = 60_000

/** The initial state of an account. */
export function unusedAccount(): AccountState {
  return { requests_at: 0, tokens_at: 0, learned: {}, adaptive: null, failures: 0, cooldown: null, workers: {} }
}

/**
 * Processes one worker's request: applies its report to the account and computes its share.
 * @param limits - the operator's limits; undefined for none. A cool-down applies in either case.
 * @returns the new account state, and the share.
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
  // An unlimited account writes no worker shares.
  if (limits === undefined && permits === undefined && timed.cooldown === null)
    return { state: timed, share: { slots, permits, isProbe: false, parts } }
  // Compared by identity: an earlier probe of this worker may have been lost.
  const isProbe = timed.cooldown !== null && timed.cooldown.probe !== settled.cooldown?.probe
  return {
    state: withWorker(timed, demand, { permits, credit: credit - spent }, now),
    share: { slots, permits, isProbe, parts },
  }
}

/** The effective limits: the lower of the configured and the learned value. */
function effectiveRates(limits: AccountLimits | undefined, learned: AccountState['learned']): AccountState['learned'] {
  if (limits === undefined) return {}
  return { rpm: lesser(limits.rpm, learned.rpm), tpm: lesser(limits.tpm, learned.tpm) }
}

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

/** Applies outcomes: a served call ends a cool-down that it began after; a push-back opens one. */
function settle(state: AccountState, { served, pushback, inUse }: Demand, now: number): AccountState {
  let { cooldown, failures, adaptive } = state
  if (served.count > 0 && served.begunAt >= (cooldown?.opened ?? 0)) {
    cooldown = null
    failures = 0
    adaptive = grown(adaptive, served.count)
  }
  if (pushback === undefined) return { ...state, cooldown, failures, adaptive }
  // Calls that were already running when the cool-down opened give no new information.
  if (cooldown !== null && pushback.begunAt < cooldown.opened) {
    const until = Math.max(cooldown.until, pushback.until ?? 0)
    return { ...state, cooldown: { ...cooldown, until }, failures, adaptive }
  }
  // Calls that are refused together count up to one outage; each later probe counts again.
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

/** The length of a cool-down. The provider's own delay is trusted until it repeatedly proves too short. */
function pauseAfter(failures: number, hasAsked: boolean): number {
  const doublings = failures - OUTAGE_FAILURES * (hasAsked ? 2 : 1)
  if (hasAsked && doublings <= 0) return 0
  return Math.min(FIRST_COOL_DOWN_MS * 2 ** Math.max(0, doublings), LONGEST_COOL_DOWN_MS)
}

function inUseOf({ workers }: AccountState): number {
  return Object.values(workers).reduce((sum, { in_use }) => sum + in_use, 0)
}

/** After a cool-down has expired, one worker probes, and the others wait for the outcome. */
function probe(state: AccountState, { worker, waiting }: Demand, now: number): AccountState {
  const { cooldown } = state
  if (cooldown === null || cooldown.until > now || total(waiting) === 0) return state
  if (cooldown.probe !== null && cooldown.probe.until > now) return state
  return { ...state, cooldown: { ...cooldown, probe: { worker, until: now + PROBE_MS } } }
}

function noSlots(state: AccountState): { state: AccountState; slots: undefined; spent: 0 } {
  return { state, slots: undefined, spent: 0 }
}

/** Takes the next free slots within each class's horizon: GCRA over requests and tokens. */
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
  // A per-minute limit recovers fully within a minute, regardless of the reported usage.
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

/** Grants free permits. A worker above its fair share leaves released permits to one below. */
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

/** The number of calls over all classes. */
export function total(calls: ByClass): number {
  return calls.chat + calls.prompt + calls.task
}
