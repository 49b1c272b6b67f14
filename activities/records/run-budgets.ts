import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadedAgent } from '../../agents/loaded-agent.ts'
import {
  isHeldByOthers,
  keptForAnswer,
  lacking,
  limited,
  NOTHING,
  shownAmounts,
  sizeCall,
  spentShare,
  timePiece,
  type Amounts,
  type CallEstimate,
  type Dimension,
} from '../../core/budget.ts'
import type { AgentRun, Parked } from '../../core/execution.ts'
import { depthOf, pathOfKey, stepKey, warnedPath } from '../../core/step-path.ts'
import {
  batchBudgetId,
  budgetId,
  budgetScope,
  claimWarning,
  isOfHolder,
  isReserved,
  openBudget,
  readBudgets,
  release,
  releaseLost,
  reserve,
  type BudgetDocument,
} from '../../store/spending/budgets.ts'
import type { ReservationName } from '../../store/spending/budgets.ts'
import { event } from '../events.ts'
import { BudgetExceeded } from './budget-exceeded.ts'
import { Hold } from './hold.ts'
import type { Leg } from '../attempt/leg.ts'
import type { RunSummary } from '../attempt/outcome.ts'
import { parkedUntil } from '../attempt/parked.ts'

/** The dimensions from which model calls draw, and those from which tool calls draw. */
export const OF_MODELS: Dimension[] = ['nano_usd', 'tokens', 'ms', 'model_calls']
const OF_TOOLS: Dimension[] = ['ms', 'tool_calls']

/** How long a run waits in the worker for others' reservations; afterwards the workflow's timer takes over. */
const WAIT_HERE_MS = 20_000
const WAIT_MS = 15_000
const FIRST_LOOK_MS = 50
const LONGEST_LOOK_MS = 2_000

/**
 * The budgets of an agent's work: those of the batch, the execution, the calling agents, and its own. A step must fit
 * into all of them.
 */
export class RunBudgets {
  /** Budget ids, from the widest to the agent's own. */
  readonly ids: string[]
  readonly #leg: Leg
  readonly #run: AgentRun
  readonly #warned = new Set<string>()
  readonly #limited: Set<Dimension>

  constructor(leg: Leg, run: AgentRun, states: BudgetDocument[]) {
    this.#leg = leg
    this.#run = run
    this.ids = states.map(({ _id }) => _id)
    this.#limited = new Set(states.flatMap((state) => limited(state)))
  }

  /**
   * Reserves for a model call or a tool call. Waits while reservations of others occupy the remainder.
   * @param step - path of the step.
   * @param estimate - estimate of a model call; a tool call has none.
   * @param isLast - draws on the amount that is kept for the final response.
   * @returns undefined if no budget limits such calls.
   * @throws BudgetExceeded
   * @throws Stop if the attempt no longer holds the run.
   */
  async hold(step: string, estimate?: CallEstimate, isLast = false): Promise<Hold | Parked | undefined> {
    if (!this.areAbout(estimate === undefined ? OF_TOOLS : OF_MODELS)) return undefined
    return this.#leg.attempt.place.rest(() => this.#reserve(step, estimate, isLast))
  }

  /** Reserves for one more model call if enough is free at this moment. */
  async spare(step: string, estimate: CallEstimate): Promise<Hold | undefined> {
    const tried = await this.#leg.attempt.persist(() => this.#try(this.#nameOf(step), estimate, false))
    return tried !== undefined && 'signal' in tried ? tried : undefined
  }

  #nameOf(step: string): ReservationName {
    const { id: attempt, run } = this.#leg.attempt
    return { job: this.#run.job, path: step, writer: { path: run.path, attempt } }
  }

  async #reserve(step: string, estimate: CallEstimate | undefined, isLast: boolean): Promise<Hold | Parked> {
    const { attempt, deps } = this.#leg
    const { job } = this.#run
    const name = this.#nameOf(step)
    const giveUpAt = Date.now() + WAIT_HERE_MS
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
      const tried = await attempt.persist(() => this.#try(name, estimate, isLast))
      if (tried !== undefined && 'signal' in tried) return tried
      if (tried !== undefined) throw tried.exceeded
      if (Date.now() > giveUpAt && !attempt.place.mayRest) {
        deps.log.debug({ job_id: job, agent: this.#run.agent }, 'waiting for budget that other calls have reserved')
        return parkedUntil(Date.now() + WAIT_MS, 'waits for budget that other calls have reserved')
      }
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: attempt.signal })
    }
  }

  /** Whether a budget limits one of these dimensions. */
  areAbout(dimensions: Dimension[]): boolean {
    return dimensions.some((dimension) => this.#limited.has(dimension))
  }

  /**
   * Tries to reserve the amounts of a call.
   * @returns undefined if others hold the amounts or were faster, or if an earlier try must be released first.
   */
  async #try(
    name: ReservationName,
    estimate: CallEstimate | undefined,
    isLast: boolean,
  ): Promise<Hold | { exceeded: BudgetExceeded } | undefined> {
    const { attempt, deps } = this.#leg
    const { store } = deps
    const about = estimate === undefined ? OF_TOOLS : OF_MODELS
    const states = (await readBudgets(store, this.ids)).filter(({ limits }) => about.some((each) => each in limits))
    // An earlier try with an unknown outcome may have reserved. Nobody else releases it while this attempt holds its
    // run.
    const own = states.filter((state) => isReserved(state, name))
    if (own.length > 0) {
      await Promise.all(own.map((each) => release(store, each, name)))
      return undefined
    }
    const parts = states.map((state) => ({ state, kept: isLast ? {} : keptOf(state) }))
    const size = estimate === undefined ? undefined : sizeCall(estimate, parts)
    const amounts = { ...(size?.amounts ?? { ...NOTHING, tool_calls: 1 }), ms: timePiece(parts) }
    for (const { state, kept } of parts) {
      const dimension = lacking(state, amounts, kept)
      if (dimension === undefined) continue
      const exceeded = { exceeded: this.#exceeded(state, dimension, isLast, amounts[dimension]) }
      if (!isHeldByOthers(state, dimension, amounts, kept)) return exceeded
      await releaseLost(store, [state])
      return dimension === 'tool_calls' && (await this.#isLacking(state, amounts, kept)) ? exceeded : undefined
    }
    // Starts with the agent's own budget: a try that fails there has taken nothing from shared budgets. A try that
    // fails in a wider budget has taken only amounts that nobody else can use at the moment.
    const narrowestFirst = parts.toReversed()
    for (const [index, { state, kept }] of narrowestFirst.entries()) {
      if (await reserve(store, state, name, amounts, kept)) continue
      // Releases this budget too, because it may hold a reservation of which this process did not learn.
      await Promise.all(narrowestFirst.slice(0, index + 1).map((each) => release(store, each.state, name)))
      return undefined
    }
    const timeUp = (state: BudgetDocument): BudgetExceeded => this.#exceeded(state, 'ms', true)
    // A process that was suspended may reserve after its run's reservations were released, and nobody would check
    // again.
    if (!(await isOfHolder(store, name))) {
      await Promise.all(states.map((each) => release(store, each, name)))
      throw attempt.overtaken()
    }
    return new Hold({ store, attempt, name, parts, amounts, outputTokens: size?.outputTokens, timeUp })
  }

  /**
   * Whether the amount is still missing after the release of orphaned reservations. Running tool calls release nothing,
   * and one of them may be waiting for this call.
   */
  async #isLacking({ _id }: BudgetDocument, amounts: Amounts, kept: Partial<Amounts>): Promise<boolean> {
    const [now] = await readBudgets(this.#leg.deps.store, [_id])
    return now !== undefined && lacking(now, amounts, kept) === 'tool_calls'
  }

  /** Writes an event once for each budget when most of it is spent. Called after a step's usage was recorded. */
  async warn({ start }: RunSummary): Promise<void> {
    const { deps, attempt } = this.#leg
    const { job, path, agent } = this.#run
    const by = stepKey(job, path)
    const ids = this.ids.filter((id) => !this.#warned.has(id))
    if (ids.length === 0) return
    for (const state of await attempt.persist(() => readBudgets(deps.store, ids))) {
      const isOthers = state.warned !== undefined && state.warned !== by
      const share = spentShare(state)
      if (!isOthers && share < state.warn_at) continue
      this.#warned.add(state._id)
      if (isOthers || !(await attempt.persist(() => claimWarning(deps.store, state._id, by)))) continue
      const [limits, spent] = [shownAmounts(state, state.limits), shownAmounts(state, state.spent)]
      const payload = { budget: budgetScope(state), limits, spent, spent_share: share }
      // The key prevents an unconfirmed try, or a later attempt at the run, from writing a second warning.
      const about = payload.budget === 'agent' ? pathOfKey(state._id) : payload.budget
      await attempt.append({ path: warnedPath(about), events: [event('budget_warning', agent, start, payload)] })
    }
  }

  /** The agent that owns the budget makes the final response. An agent that it called fails instead. */
  #exceeded(state: BudgetDocument, dimension: Dimension, isLast: boolean, wanted?: number): BudgetExceeded {
    const { job, path } = this.#run
    const isOwn = state._id === budgetId(job, path) || depthOf(path) === 0
    const mayAnswer = isOwn && !isLast && state.on_exceeded === 'answer'
    return new BudgetExceeded(state, dimension, mayAnswer, dimension === 'ms' ? 0 : wanted)
  }
}

/** Opens the budgets of a starting agent; undefined if it has none. */
export async function openBudgets(leg: Leg, run: AgentRun, agent: LoadedAgent): Promise<RunBudgets | undefined> {
  const { attempt, deps, execution } = leg
  const { budget, batch_budget, batch_id } = execution
  if (run.budgets === undefined && agent.budget === undefined && budget === undefined && batch_budget !== true)
    return undefined
  const own = budgetId(run.job, run.path)
  const whole = budgetId(run.job)
  const above = run.budgets ?? [
    ...(batch_budget === true && batch_id !== undefined ? [batchBudgetId(batch_id)] : []),
    ...(budget === undefined ? [] : [whole]),
  ]
  const given = agent.budget
  const ids = given === undefined ? above : [...above, own]
  // A reservation counts only if others can see that the attempt holds the run.
  await attempt.isTaken()
  const states = await attempt.persist(async () => {
    if (budget !== undefined && run.budgets === undefined) await openBudget(deps.store, whole, budget)
    if (given !== undefined) await openBudget(deps.store, own, given)
    const found = await readBudgets(deps.store, ids)
    if (!attempt.isFresh) await releaseLost(deps.store, found)
    return found
  })
  return new RunBudgets(leg, run, states)
}

function keptOf(state: BudgetDocument): Partial<Amounts> {
  return state.on_exceeded === 'answer' ? keptForAnswer(state) : {}
}
