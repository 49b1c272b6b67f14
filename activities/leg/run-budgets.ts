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
  type Amounts,
  type CallEstimate,
  type Dimension,
} from '../../core/budget.ts'
import type { AgentRun } from '../../core/execution.ts'
import { depthOf } from '../../core/step-path.ts'
import {
  batchBudgetId,
  budgetId,
  markWarned,
  openBudget,
  readBudgets,
  release,
  releaseEnded,
  reserve,
  reservedFor,
  type BudgetDocument,
  type Reserved,
} from '../../store/budgets.ts'
import type { BudgetStep, Settlement } from '../../store/ledger-entry.ts'
import { event } from '../events.ts'
import { BudgetExceeded } from './budget-exceeded.ts'
import type { Leg } from './leg.ts'
import type { RunSummary } from './outcome.ts'
import { parkedUntil, type Parked } from './parked.ts'

/** What model calls, and tool calls, draw from a budget. */
const OF_MODELS: Dimension[] = ['nano_usd', 'tokens', 'ms', 'model_calls']
const OF_TOOLS: Dimension[] = ['ms', 'tool_calls']

/** How long what others have reserved is waited for in the worker; after that from the workflow's timer. */
const WAIT_HERE_MS = 20_000
const WAIT_MS = 15_000
const FIRST_LOOK_MS = 50
const LONGEST_LOOK_MS = 2_000

const NO_RESERVATION: Reserved = { ...NOTHING, job: '', output_tokens: 0 }

/** What a step holds of its budgets while it is made. */
export interface Hold {
  /** Tokens that the answer may have; undefined where no budget is about tokens or money. */
  outputTokens: number | undefined
  /** What was reserved, as the call's event shows it. */
  reserved: Reserved
  /** Fires when the time of a budget is up. */
  signal: AbortSignal
  /** What the signal fired for; undefined while it has not. */
  timeUp: () => BudgetExceeded | undefined
  /** What is to be written with the record of the step. @param used - of the model; nothing where there was no call */
  settle: (used?: Partial<Amounts>) => Settlement[]
  /** Gives back what was reserved for a step that has to wait. */
  drop: () => Promise<void>
}

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
  #limited: Promise<Set<Dimension>> | undefined

  constructor(leg: Leg, run: AgentRun, ids: string[]) {
    this.#leg = leg
    this.#run = run
    this.ids = ids
  }

  /**
   * Reserves for a model call or a tool call, and waits while others hold what is left.
   * @param step - its path.
   * @param estimate - of a model call; a tool call has none.
   * @param isLast - draws on what was kept for the last answer.
   * @returns undefined when none of them is about such calls
   * @throws BudgetExceeded
   */
  async hold(step: string, estimate?: CallEstimate, isLast = false): Promise<Hold | Parked | undefined> {
    if (!(await this.areAbout(estimate === undefined ? OF_TOOLS : OF_MODELS))) return undefined
    const { attempt, deps } = this.#leg
    const place = { job: this.#run.job, path: step }
    const giveUpAt = Date.now() + WAIT_HERE_MS
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
      const tried = await attempt.persist(() => this.#try(place, estimate, isLast))
      if (tried !== undefined && 'signal' in tried) return tried
      if (tried !== undefined) throw tried.exceeded
      if (Date.now() > giveUpAt) {
        deps.log.debug({ job_id: place.job, agent: this.#run.agent }, 'waits for what others have reserved of a budget')
        return parkedUntil(Date.now() + WAIT_MS, 'waits for what others have reserved of its budget')
      }
      await sleep(pauseMs * (0.5 + Math.random()), undefined, { signal: attempt.signal })
    }
  }

  /** Whether one of them limits one of these; that never changes. */
  async areAbout(dimensions: Dimension[]): Promise<boolean> {
    this.#limited ??= this.#leg.attempt.persist(async () => {
      const states = await readBudgets(this.#leg.deps.store, this.ids)
      return new Set(states.flatMap((state) => limited(state)))
    })
    const all = await this.#limited
    return dimensions.some((dimension) => all.has(dimension))
  }

  /**
   * Tries to reserve what a call may need.
   * @returns undefined when others hold what is needed, or were quicker
   */
  async #try(
    step: BudgetStep,
    estimate: CallEstimate | undefined,
    isLast: boolean,
  ): Promise<Hold | { exceeded: BudgetExceeded } | undefined> {
    const { store } = this.#leg.deps
    const about = estimate === undefined ? OF_TOOLS : OF_MODELS
    const states = (await readBudgets(store, this.ids)).filter(({ limits }) => about.some((each) => each in limits))
    const parts = states.map((state) => ({ state, kept: isLast ? {} : this.#kept(state) }))
    const before = states.map((state) => reservedFor(state, step))
    const size = estimate === undefined ? undefined : sizeCall(estimate, parts)
    const wanted: Reserved = {
      ...(size?.amounts ?? { ...NOTHING, tool_calls: 1 }),
      job: step.job,
      output_tokens: size?.outputTokens ?? 0,
    }
    const open = parts.filter((_, index) => before[index] === undefined)
    for (const { state, kept } of open) {
      const dimension = lacking(state, wanted, kept)
      if (dimension === undefined) continue
      const isHeld = isHeldByOthers(state, dimension, wanted, kept)
      if (!isHeld) return { exceeded: this.#exceeded(state, dimension, isLast, wanted[dimension]) }
      await releaseEnded(store, state)
      return undefined
    }
    const taken: BudgetDocument[] = []
    for (const { state, kept } of open) {
      if (await reserve(store, state, step, wanted, kept)) taken.push(state)
      else {
        await Promise.all(taken.map((each) => release(store, each, step, wanted)))
        return undefined
      }
    }
    return this.#held(
      step,
      states.map((state, index) => ({ state, reserved: before[index] ?? wanted })),
    )
  }

  #held(step: BudgetStep, parts: { state: BudgetDocument; reserved: Reserved }[]): Hold {
    const since = performance.now()
    const ms = Math.min(...parts.map(({ state }) => state.left.ms ?? Infinity))
    const timer = new AbortController()
    const isTimed = Number.isFinite(ms)
    const timeout = isTimed ? setTimeout(() => timer.abort(), Math.max(1, ms)) : undefined
    timeout?.unref()
    const outputs = parts.map(({ reserved }) => reserved.output_tokens)
    const isSized = parts.some(({ state }) => state.limits.tokens !== undefined || state.limits.nano_usd !== undefined)
    const shortest = parts.find(({ state }) => (state.left.ms ?? Infinity) === ms)?.state
    const drop = async () => {
      clearTimeout(timeout)
      const { attempt, deps } = this.#leg
      const releases = () => Promise.all(parts.map((part) => release(deps.store, part.state, step, part.reserved)))
      await attempt.persist(releases)
    }
    return {
      drop,
      outputTokens: isSized ? Math.min(...outputs) : undefined,
      reserved: parts[0]?.reserved ?? NO_RESERVATION,
      signal: timer.signal,
      timeUp: () => (timer.signal.aborted && shortest ? this.#exceeded(shortest, 'ms', true) : undefined),
      settle: (used = {}) => {
        clearTimeout(timeout)
        const spent = { ...NOTHING, ...used, ms: Math.round(performance.now() - since) }
        return parts.map(({ state, reserved }) => ({
          budget: state._id,
          step,
          limited: limited(state),
          reserved,
          spent,
        }))
      },
    }
  }

  /** Once for each budget: an event when most of it is spent. Called when what a step used is recorded. */
  async warn({ start }: RunSummary): Promise<void> {
    const { deps, attempt } = this.#leg
    const ids = this.ids.filter((id) => !this.#warned.has(id))
    if (ids.length === 0) return
    for (const state of await attempt.persist(() => readBudgets(deps.store, ids))) {
      const share = spentShare(state)
      if (state.warned === true) this.#warned.add(state._id)
      if (state.warned === true || share < state.warn_at) continue
      this.#warned.add(state._id)
      if (!(await attempt.persist(() => markWarned(deps.store, state._id)))) continue
      const [limits, spent] = [shownAmounts(state, state.limits), shownAmounts(state, state.spent)]
      const payload = { budget: scopeOf(state), limits, spent, spent_share: share }
      await attempt.append({ events: [event('budget_warning', this.#run.agent, start, payload)] })
    }
  }

  #kept(state: BudgetDocument): Partial<Amounts> {
    return state.on_exceeded === 'answer' ? keptForAnswer(state) : {}
  }

  /** The last answer is that of the agent whose budget it is; an agent that it called fails, and leaves it to that one. */
  #exceeded(state: BudgetDocument, dimension: Dimension, isLast: boolean, wanted?: number): BudgetExceeded {
    const { job, path } = this.#run
    const isOwn = state._id === budgetId(job, path) || depthOf(path) === 0
    return new BudgetExceeded(state, dimension, isOwn && !isLast && state.on_exceeded === 'answer', wanted)
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
  await attempt.persist(async () => {
    if (budget !== undefined && run.budgets === undefined) await openBudget(deps.store, whole, budget)
    if (given !== undefined) await openBudget(deps.store, own, given)
  })
  return new RunBudgets(leg, run, given === undefined ? above : [...above, own])
}

/** Whose budget it is, as events show it. */
function scopeOf({ _id }: BudgetDocument): 'batch' | 'execution' | 'agent' {
  if (_id.startsWith('batch|')) return 'batch'
  return _id.endsWith('|') ? 'execution' : 'agent'
}
