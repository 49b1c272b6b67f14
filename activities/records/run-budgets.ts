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

/** What model calls, and tool calls, draw from a budget. */
export const OF_MODELS: Dimension[] = ['nano_usd', 'tokens', 'ms', 'model_calls']
const OF_TOOLS: Dimension[] = ['ms', 'tool_calls']

/** How long what others have reserved is waited for in the worker; after that from the workflow's timer. */
const WAIT_HERE_MS = 20_000
const WAIT_MS = 15_000
const FIRST_LOOK_MS = 50
const LONGEST_LOOK_MS = 2_000

/**
 * The budgets that an agent's work draws from: of the batch, of the execution, of the agents above it that have one, and its
 * own. It may use what all of them allow.
 */
export class RunBudgets {
  /** Their ids, from the widest to the agent's own. */
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
   * Reserves for a model call or a tool call, and waits while others hold what is left.
   * @param step - its path.
   * @param estimate - of a model call; a tool call has none.
   * @param isLast - draws on what was kept for the last answer.
   * @returns undefined when none of them is about such calls
   * @throws BudgetExceeded
   * @throws Stop when the attempt does not hold the run any more.
   */
  async hold(step: string, estimate?: CallEstimate, isLast = false): Promise<Hold | Parked | undefined> {
    if (!this.areAbout(estimate === undefined ? OF_TOOLS : OF_MODELS)) return undefined
    return this.#leg.attempt.place.rest(() => this.#reserve(step, estimate, isLast))
  }

  /** Reserves for one more model call, where enough is left at this moment that nobody else holds. */
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

  /** Whether one of them limits one of these. */
  areAbout(dimensions: Dimension[]): boolean {
    return dimensions.some((dimension) => this.#limited.has(dimension))
  }

  /**
   * Tries to reserve what a call may need.
   * @returns undefined when others hold what is needed, or were quicker, or a try before this one is to be forgotten first
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
    // A try that did not hear of it may have reserved. Nobody else gives that back while this attempt holds its run.
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
    // The agent's own first: who is too late there takes nothing of what others share, and would not wait for; who is too late in a wider one has
    // taken of the narrower ones only what is of no use to anybody now.
    const narrowestFirst = parts.toReversed()
    for (const [index, { state, kept }] of narrowestFirst.entries()) {
      if (await reserve(store, state, name, amounts, kept)) continue
      // Also in this one: it may have been reserved without this process hearing of it.
      await Promise.all(narrowestFirst.slice(0, index + 1).map((each) => release(store, each.state, name)))
      return undefined
    }
    const timeUp = (state: BudgetDocument): BudgetExceeded => this.#exceeded(state, 'ms', true)
    // Who stood still may come after all of its run was given back, and nobody would look again.
    if (!(await isOfHolder(store, name))) {
      await Promise.all(states.map((each) => release(store, each, name)))
      throw attempt.overtaken()
    }
    return new Hold({ store, attempt, name, parts, amounts, outputTokens: size?.outputTokens, timeUp })
  }

  /**
   * Whether it is still not there when what is nobody's was given back. Tools that are being called give nothing back, and one of them may
   * be waiting for this very call.
   */
  async #isLacking({ _id }: BudgetDocument, amounts: Amounts, kept: Partial<Amounts>): Promise<boolean> {
    const [now] = await readBudgets(this.#leg.deps.store, [_id])
    return now !== undefined && lacking(now, amounts, kept) === 'tool_calls'
  }

  /** Once for each budget: an event when most of it is spent. Called when what a step used is recorded. */
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
      // Its key keeps a try that was not confirmed, and a later attempt at the run, from saying it twice.
      const about = payload.budget === 'agent' ? pathOfKey(state._id) : payload.budget
      await attempt.append({ path: warnedPath(about), events: [event('budget_warning', agent, start, payload)] })
    }
  }

  /** The last answer is that of the agent whose budget it is; an agent that it called fails, and leaves it to that one. */
  #exceeded(state: BudgetDocument, dimension: Dimension, isLast: boolean, wanted?: number): BudgetExceeded {
    const { job, path } = this.#run
    const isOwn = state._id === budgetId(job, path) || depthOf(path) === 0
    const mayAnswer = isOwn && !isLast && state.on_exceeded === 'answer'
    return new BudgetExceeded(state, dimension, mayAnswer, dimension === 'ms' ? 0 : wanted)
  }
}

/** The budgets of an agent that begins; undefined where it has none. */
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
  // What the attempt reserves counts when others can see that it holds the run.
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
