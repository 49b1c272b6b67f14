import { limited, NOTHING, timePiece, type Amounts, type BudgetPart } from '../../core/budget.ts'
import { readBudgets, release, reserveTime, type BudgetDocument } from '../../store/spending/budgets.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { ReservationName, Settlement } from '../../store/spending/budgets.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { BudgetExceeded } from './budget-exceeded.ts'

export interface HoldOptions {
  store: Store
  attempt: Attempt
  name: ReservationName
  /** The budgets with the reservation. */
  parts: (BudgetPart & { state: BudgetDocument })[]
  amounts: Amounts
  outputTokens: number | undefined
  timeUp: (state: BudgetDocument) => BudgetExceeded
}

/** A step's reservation in its budgets while the step runs. It is settled with the step's record, or dropped. */
export class Hold {
  /** The output limit of the response in tokens; undefined if no budget limits what the output uses or costs. */
  readonly outputTokens: number | undefined
  /** The reserved amounts, for the call's event. */
  readonly reserved: Amounts
  readonly #options: HoldOptions
  readonly #since = performance.now()
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #timeUp: BudgetExceeded | undefined
  #isOver = false

  constructor(options: HoldOptions) {
    const { amounts, outputTokens } = options
    this.#options = options
    this.outputTokens = outputTokens
    this.reserved = amounts
    if (amounts.ms > 0) this.#wait(amounts.ms)
  }

  /** Fires when the working time of a budget is up. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The reason of the signal; undefined if it has not fired. */
  timeUp(): BudgetExceeded | undefined {
    return this.#timeUp
  }

  /**
   * The budget changes to write with the step's record.
   * @param used - the usage of the model; empty if no call was made.
   */
  settle(used: Partial<Amounts> = {}): Settlement[] {
    this.#end()
    const spent = { ...NOTHING, ...used, ms: Math.round(performance.now() - this.#since) }
    const { parts, name: reservation } = this.#options
    return parts.map(({ state }) => ({ budget: state._id, reservation, limited: limited(state), spent }))
  }

  /** Releases an unsettled reservation while the attempt holds the run. Otherwise later calls release it. */
  async drop(): Promise<void> {
    if (this.#isOver) return
    this.#end()
    const { store, attempt, name, parts } = this.#options
    const giveBack = () => Promise.all(parts.map(({ state }) => release(store, state, name)))
    await attempt.persist(giveBack).catch(() => undefined)
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #wait(ms: number): void {
    const goOn = (): void => void this.#reserveMore().catch(() => undefined)
    this.#timer = setTimeout(goOn, ms).unref()
  }

  /** Reserves the next piece of time in all budgets, or ends the call. */
  async #reserveMore(): Promise<void> {
    const { store, attempt, name, parts } = this.#options
    attempt.signal.throwIfAborted()
    const timed = parts.filter(({ state }) => state.limits.ms !== undefined)
    const keptMs = new Map(timed.map(({ state, kept }) => [state._id, kept.ms ?? 0]))
    const states = await attempt.persist(() => readBudgets(store, [...keptMs.keys()]))
    const ms = timePiece(states.map((state) => ({ state, kept: { ms: keptMs.get(state._id) ?? 0 } })))
    for (const state of states) {
      const more = { ms, keptMs: keptMs.get(state._id) ?? 0 }
      const isThere = await attempt.persist(() => reserveTime(store, state._id, name, more))
      if (this.#isOver) return
      if (!isThere) {
        this.#timeUp = this.#options.timeUp(state)
        return this.#controller.abort()
      }
    }
    this.#wait(ms)
  }
}
