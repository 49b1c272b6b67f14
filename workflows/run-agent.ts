import { CancellationScope, condition, setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import type { AgentRun, EndStatus, LegResult, LegStart, Parked } from '../core/execution.ts'
import type { Tried } from '../core/transitions.ts'
import { beginLeg, poolActivities, records } from './activities.ts'
import { historyIsLong } from './history-is-long.ts'
import { describeFailure, rethrowUnlessFailed, wasNotTaken } from './failures.ts'

/** A history this long continues in a new run of the workflow, well before Temporal's own limits. */
const MAX_HISTORY_EVENTS = 4_000

/** How an agent came out: at its end, or because the history must begin anew. */
export type AgentOutcome = EndStatus | 'continue_as_new'

/**
 * Runs an agent to its end, leg by leg. All that it knows is in the records, so it can be left at any moment and taken up
 * again, also by another run of the workflow.
 * @param opens - whether it is the first thing that the workflow does.
 */
export async function runAgent(run: AgentRun, priority: number, opens = false): Promise<AgentOutcome> {
  const calls = new CallsElsewhere(priority)
  let continues = false
  try {
    for (let isFirst = opens; ; isFirst = false) {
      const leg = await runLeg(calls.known(run), priority, isFirst)
      continues = leg === 'continue_as_new'
      if (leg === 'continue_as_new') return leg
      if (leg.status !== 'parked') return leg.status
      calls.add(leg.calls)
      await calls.waitForNext(leg)
      continues = historyIsLong(MAX_HISTORY_EVENTS)
      if (continues) return 'continue_as_new'
    }
  } catch (error) {
    rethrowUnlessFailed(error)
    return await records.recordFailure(run, describeFailure(error))
  } finally {
    await calls.settled(continues)
  }
}

/**
 * Begins in this worker if it hosts the agent; what takes longer, or is hosted elsewhere, becomes an activity of the pool. Of whom
 * the caller says the pool, nothing begins here: hundreds that are called at once would keep a workflow task open for long.
 */
async function runLeg(run: AgentRun, priority: number, opens: boolean): Promise<LegResult | 'continue_as_new'> {
  const first: LegStart = run.pool === undefined ? await begin(run, opens) : { status: 'elsewhere', pool: run.pool }
  for (let begun = first; ; begun = await begin(run, false)) {
    if (!('pool' in begun)) return begun
    try {
      const leg = await poolActivities(begun.pool, priority, summaryOf(run, begun.model)).runLeg(run)
      if (!('pool' in leg)) return leg
    } catch (error) {
      if (!wasNotTaken(error)) throw error
      // A pool without workers may stay so for weeks.
      if (historyIsLong(MAX_HISTORY_EVENTS)) return 'continue_as_new'
    }
  }
}

function summaryOf({ agent }: AgentRun, model: string | undefined): string {
  return model === undefined ? agent : `${agent}, ${model}`
}

/** What could not begin here is begun where the agent is hosted. */
async function begin(run: AgentRun, opens: boolean): Promise<LegStart> {
  try {
    return await beginLeg(run, triedBefore(opens))
  } catch (error) {
    rethrowUnlessFailed(error)
    return { status: 'elsewhere', pool: await records.poolOf(run.agent) }
  }
}

/** Agents that run in other pools on behalf of a parked run. */
class CallsElsewhere {
  readonly #priority: number
  readonly #scope = new CancellationScope()
  readonly #open = new Map<string, Promise<AgentOutcome>>()
  #ended = 0

  constructor(priority: number) {
    this.#priority = priority
  }

  /** Starts those that are not under way already. */
  add(calls: AgentRun[]): void {
    for (const call of calls) {
      if (this.#open.has(call.path)) continue
      const ending = this.#scope.run(() => runAgent(call, this.#priority))
      this.#open.set(call.path, ending)
      const forget = (): void => {
        this.#open.delete(call.path)
        this.#ended += 1
      }
      ending.then(forget, forget)
    }
  }

  /** Until one of them has ended, or the time has come. */
  async waitForNext({ until, reason }: Parked): Promise<void> {
    const before = this.#ended
    const hasEnded = (): boolean => this.#ended > before
    setCurrentDetails(reason)
    if (until === null) await condition(hasEnded)
    else await condition(hasEnded, Math.max(1, until - Date.now()), { summary: reason.slice(0, 200) })
    setCurrentDetails('')
  }

  /** The run, with what is under way for it elsewhere. */
  known(run: AgentRun): AgentRun {
    return this.#open.size === 0 ? run : { ...run, elsewhere: [...this.#open.keys()] }
  }

  /** What nobody waits for any more is stopped; the next run of a workflow that continues joins what is under way. */
  async settled(continues: boolean): Promise<void> {
    if (continues || this.#open.size === 0) return
    this.#scope.cancel()
    await Promise.allSettled(this.#open.values())
  }
}

/** Events of a history whose first workflow task has not been tried before: the start, the task scheduled, the task started. */
const FIRST_TRY_EVENTS = 3

/**
 * What is known of tries that recorded nothing, by the length of the history. When the first workflow task is not at its first
 * try, the worker that had it was lost, and what the task begins may be to blame.
 */
function triedBefore(opens: boolean): Tried {
  if (workflowInfo().historyLength <= FIRST_TRY_EVENTS) return 'no'
  return opens ? 'lost' : 'maybe'
}
