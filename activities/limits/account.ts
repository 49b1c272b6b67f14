import { messageOf } from '../../core/errors.ts'
import {
  takeShare,
  total,
  type AccountState,
  type ByClass,
  type Demand,
  type Share,
} from '../../core/provider-account.ts'
import { changeAccount } from '../../store/spending/accounts.ts'
import { askAgainInMs, waitsInVain, type HoldUp } from './ask-again.ts'
import { merged, noReports, onClock, type CallReports } from './call-reports.ts'
import type { AccountOptions, BegunCall, CallOutcome, WantedCall } from './calls.ts'
import { Pace } from './pace.ts'
import { WaitingLine, type Turn } from './waiting-line.ts'

/** A start time on this process's monotonic clock, and the tokens reserved for the call. */
interface Slot {
  at: number
  tokens: number
}

interface Waiter extends Turn {
  promptTokens: number
  since: number
  begin: (slot: Slot | undefined) => void
}

/** Intervals between two requests to the account: while calls wait, while calls run, and the minimum. */
const WAITING_MS = 250
const RUNNING_MS = 1_000
const LEAST_MS = 50
/** How long an unused slot may be made up. */
const SLOT_MS = 1_000
/** A limiting provider responds at once; a call that it has not refused by then was accepted. */
const PROBE_PASSES_MS = 3_000
/** Shorter waits are not reported. */
const TOLD_WAIT_MS = 100
const FIRST_COMPLETION_TOKENS = 200
/** Weight of the latest call in the average of completion tokens. */
const LATEST_PART = 0.1

/**
 * A worker's share of a provider account. The worker asks for it every 250 ms while calls wait, every second while
 * calls run, and otherwise not at all, however many calls it makes.
 */
export class Account {
  readonly #options: AccountOptions
  readonly #line = new WaitingLine<Waiter>()
  #inUse = 0
  #slots: Slot[] | undefined
  #permits: number | undefined
  /** The time until which no call begins, on this process's monotonic clock; set until a probe was served. */
  #coolingUntil: number | undefined
  #coolingSince: number | undefined
  #isRecovering = false
  #probes = 0
  #learned: AccountState['learned'] = {}
  #completionTokens = FIRST_COMPLETION_TOKENS
  #reports = noReports()
  #timer: NodeJS.Timeout | undefined
  #dueAt = Infinity
  #taking = false
  /** Calls were still waiting after the last request. */
  #isPressed = false
  #tookAt = -Infinity
  #hasShare = false
  readonly #pace = new Pace()
  #startTimer: NodeJS.Timeout | undefined

  constructor(options: AccountOptions) {
    this.#options = options
    // Before the first request, no capacity is known to be free.
    if (options.limits !== undefined) this.#slots = []
  }

  get name(): string {
    return this.#options.account
  }

  get figures(): { inUse: number; waiting: ByClass; isCooling: boolean; coolingMs: number } {
    const coolingMs = Math.max(0, (this.#coolingUntil ?? 0) - performance.now())
    const { sizes: waiting } = this.#line
    return { inUse: this.#inUse, waiting, isCooling: this.#coolingUntil !== undefined, coolingMs }
  }

  /**
   * Waits for the call's turn. @throws the signal's reason
   * @returns the call, or when to ask again (ms since the epoch) if the wait here would be too long.
   */
  async begin({ longestWaitMs, signal, promptTokens, ...turn }: WantedCall): Promise<BegunCall | { until: number }> {
    signal.throwIfAborted()
    if (waitsInVain(this.#holdUp(), this.#line.countUpTo(turn.class), longestWaitMs))
      return { until: this.#askAgainAt() }
    const since = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<BegunCall | { until: number }>()
    const begin = (slot: Slot | undefined): void => resolve(this.#begun(since, slot))
    const isCounted = this.#options.limits?.tpm !== undefined || this.#learned.tpm !== undefined
    const waiter: Waiter = { ...turn, since, begin, promptTokens: isCounted ? promptTokens() : 0 }
    this.#line.add(waiter)
    this.#start()
    const leave = (): void => {
      this.#line.remove(waiter)
      reject(signal.reason)
    }
    const giveUp = (): void => {
      this.#line.remove(waiter)
      resolve({ until: this.#askAgainAt() })
    }
    signal.addEventListener('abort', leave)
    const timeout = longestWaitMs === undefined ? undefined : setTimeout(giveUp, longestWaitMs)
    this.#plan()
    try {
      return await promise
    } finally {
      clearTimeout(timeout)
      signal.removeEventListener('abort', leave)
    }
  }

  /** Releases everything that this worker holds. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    clearTimeout(this.#startTimer)
    this.#timer = undefined
    if (this.#hasShare) await this.#take().catch(() => undefined)
  }

  #begun(since: number, slot: Slot | undefined): BegunCall {
    this.#inUse += 1
    const begunAt = performance.now()
    this.#pace.begun(begunAt)
    const waited = Math.round(begunAt - since)
    const probe =
      this.#coolingUntil === undefined ? undefined : setTimeout(() => this.#served(begunAt), PROBE_PASSES_MS)
    return {
      throttledMs: waited < TOLD_WAIT_MS ? 0 : waited,
      end: (outcome) => {
        clearTimeout(probe)
        this.#inUse -= 1
        this.#settle(outcome, begunAt, slot)
        this.#start()
        this.#plan()
      },
    }
  }

  #settle(
    { tokens, learned, pushback, isAborted = false }: CallOutcome,
    begunAt: number,
    slot: Slot | undefined,
  ): void {
    const { prompt = 0, completion } = tokens ?? {}
    this.#reports.tokensMore += prompt + (completion ?? 0) - (slot?.tokens ?? 0)
    if (completion !== undefined) this.#completionTokens += (completion - this.#completionTokens) * LATEST_PART
    if (learned !== undefined) this.#learned = { ...this.#learned, ...learned }
    if (isAborted) return
    if (pushback === undefined) return this.#served(begunAt)
    const { code, isLimit, retryAfterMs } = pushback
    const now = performance.now()
    const until = retryAfterMs === undefined ? undefined : now + retryAfterMs
    // Concurrent calls need not find out for themselves.
    if (until !== undefined || isLimit)
      this.#coolingUntil = Math.max(this.#coolingUntil ?? 0, until ?? now + WAITING_MS)
    const told: CallReports = { ...noReports(), pushback: { count: 1, code, isLimit, begunAt, until } }
    this.#reports = merged(this.#reports, told)
    this.#dueAt = 0
  }

  #served(begunAt: number): void {
    this.#reports = merged(this.#reports, { ...noReports(), served: { count: 1, begunAt } })
    if (this.#coolingUntil !== undefined) this.#dueAt = 0
  }

  /** Begins the calls that may begin. */
  #start(): void {
    clearTimeout(this.#startTimer)
    while (!this.#line.isEmpty) {
      if (this.#coolingUntil !== undefined) {
        if (this.#probes === 0) return
        this.#probes -= 1
        this.#line.take()?.begin(undefined)
        continue
      }
      if (this.#permits !== undefined && this.#inUse >= this.#permits) return
      const slot = this.#nextSlot()
      if (slot === 'none') return
      this.#line.take()?.begin(slot)
    }
  }

  #nextSlot(): Slot | 'none' | undefined {
    if (this.#slots === undefined) return undefined
    const now = performance.now()
    while (this.#slots[0] !== undefined && this.#slots[0].at < now - SLOT_MS) this.#slots.shift()
    const [next] = this.#slots
    if (next === undefined) return 'none'
    if (next.at <= now) return this.#slots.shift()
    this.#startTimer = setTimeout(() => this.#start(), next.at - now)
    return 'none'
  }

  /** Schedules the next request to the account. */
  #plan(): void {
    if (this.#taking) return
    const isWaiting = !this.#line.isEmpty
    const isIdle = !isWaiting && this.#inUse === 0
    const hasNews = this.#dueAt === 0
    if (isIdle && !this.#hasShare && !hasNews) return
    const pause = !isWaiting ? RUNNING_MS : this.#isPressed ? WAITING_MS : LEAST_MS
    const cooled = Math.min(this.#coolingUntil ?? 0, this.#tookAt + RUNNING_MS)
    const at = Math.max(Math.min(Math.max(this.#tookAt + pause, cooled), this.#dueAt), this.#tookAt + LEAST_MS)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#takeAgain(), Math.max(0, at - performance.now())).unref()
  }

  async #takeAgain(): Promise<void> {
    this.#taking = true
    try {
      await this.#take()
    } catch (error) {
      const { log, account } = this.#options
      log.debug({ account, error: messageOf(error) }, 'cannot request a share of the account; trying again')
    }
    this.#tookAt = performance.now()
    this.#taking = false
    this.#start()
    this.#isPressed = !this.#line.isEmpty
    this.#plan()
  }

  async #take(): Promise<void> {
    const { store, account, limits } = this.#options
    const reports = this.#reports
    this.#reports = noReports()
    this.#dueAt = Infinity
    const demand = this.#demand()
    // Rather too early, so that a served probe never appears to precede the cool-down.
    const startedAt = performance.now()
    const take = (before: AccountState, now: number) => {
      const { state, share } = takeShare(before, { ...demand, ...onClock(reports, now - startedAt) }, limits, now)
      return { state, result: share }
    }
    try {
      const { result, state, now } = await changeAccount(store, account, limits, take)
      this.#follow(result, state, now - performance.now(), demand.tokensEach)
    } catch (error) {
      this.#reports = merged(reports, this.#reports)
      throw error
    }
  }

  /** Applies this process's new share. @param aheadMs - how far MongoDB's clock is ahead of its clock. */
  #follow(
    { slots, permits, isProbe, parts }: Share,
    { cooldown, workers, adaptive }: AccountState,
    aheadMs: number,
    tokens: number,
  ): void {
    const fresh = slots?.map((at) => ({ at: at - aheadMs, tokens }))
    this.#slots = fresh === undefined ? undefined : [...(this.#slots ?? []), ...fresh]
    this.#permits = permits
    this.#line.shareBy(parts)
    this.#hasShare = workers[this.#options.worker] !== undefined
    // A call that was refused during the request is not reported yet.
    const isKnown = cooldown !== null || this.#reports.pushback === undefined
    if (isKnown) this.#coolingUntil = cooldown === null ? undefined : cooldown.until - aheadMs
    this.#coolingSince = cooldown === null ? undefined : cooldown.since - aheadMs
    this.#isRecovering = adaptive !== null
    // Calls that began in a cool-down do not indicate the pace after it.
    if (cooldown !== null) this.#pace.forget()
    this.#probes = isProbe ? 1 : 0
  }

  #askAgainAt(): number {
    return Math.round(Date.now() + askAgainInMs(this.#holdUp(), Math.random()))
  }

  #holdUp(): HoldUp {
    const now = performance.now()
    return {
      queueMs: this.#pace.timeFor(total(this.#line.sizes), now),
      coolingMs: this.#coolingUntil === undefined ? undefined : this.#coolingUntil - now,
      pushedBackMs: now - (this.#coolingSince ?? now),
      isRecovering: this.#isRecovering,
    }
  }

  #demand(): Omit<Demand, keyof CallReports> {
    const { sizes: waiting, keys } = this.#line
    const asking = this.#line.sizesBehind(this.#slots?.length ?? 0)
    const prompts = [...this.#line].map(({ promptTokens }) => promptTokens)
    const promptTokens = prompts.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, prompts.length)
    const tokensEach = Math.ceil(promptTokens + this.#completionTokens)
    const { worker } = this.#options
    return { worker, inUse: this.#inUse, waiting, keys, asking, tokensEach, learned: this.#learned }
  }
}
