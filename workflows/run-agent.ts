import { CancellationScope, condition, setCurrentDetails, workflowInfo } from '@temporalio/workflow'
import type { AgentRun, EndStatus, LegResult, LegStart, Parked } from '../core/execution.ts'
import type { Tried } from '../core/transitions.ts'
import { beginLeg, poolActivities, records } from './activities.ts'
import { historyIsLong } from './history-is-long.ts'
import { describeFailure, rethrowUnlessFailed, wasNotTaken } from './failures.ts'

/** A longer history continues as new, well before Temporal's own limits. */
const MAX_HISTORY_EVENTS = 4_000

/** The outcome of an agent: its end, or the need to continue as new. */
export type AgentOutcome = EndStatus | 'continue_as_new'

/**
 * Runs an agent to its end, leg by leg. All its state is in the records, so any other run of the workflow can take over
 * at any time.
 * @param opens - whether this is the first action of the workflow.
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
 * Begins the leg in this worker if it hosts the agent. A longer leg, or one hosted elsewhere, becomes an activity of
 * the pool. If the caller names the pool, the leg never begins here, because hundreds of simultaneous calls would keep
 * a workflow task open for long.
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
      // A pool may have no workers for weeks.
      if (historyIsLong(MAX_HISTORY_EVENTS)) return 'continue_as_new'
    }
  }
}

function summaryOf({ agent }: AgentRun, model: string | undefined): string {
  return model === undefined ? agent : `${agent}, ${model}`
}

/** A leg that could not begin here begins where the agent is hosted. */
async function begin(run: AgentRun, opens: boolean): Promise<LegStart> {
  try {
    return await beginLeg(run, triedBefore(opens))
  } catch (error) {
    rethrowUnlessFailed(error)
    return { status: 'elsewhere', pool: await records.poolOf(run.agent) }
  }
}

/** Agents that run in other pools for a parked run. */
class CallsElsewhere {
  readonly #priority: number
  readonly #scope = new CancellationScope()
  readonly #open = new Map<string, Promise<AgentOutcome>>()
  #ended = 0

  constructor(priority: number) {
    this.#priority = priority
  }

  /** Starts the calls that are not running yet. */
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

  /** Waits until a call has ended or the time has come. */
  async waitForNext({ until, reason }: Parked): Promise<void> {
    const before = this.#ended
    const hasEnded = (): boolean => this.#ended > before
    setCurrentDetails(reason)
    if (until === null) await condition(hasEnded)
    else await condition(hasEnded, Math.max(1, until - Date.now()), { summary: reason.slice(0, 200) })
    setCurrentDetails('')
  }

  /** The run, with the paths of its calls that run elsewhere. */
  known(run: AgentRun): AgentRun {
    return this.#open.size === 0 ? run : { ...run, elsewhere: [...this.#open.keys()] }
  }

  /**
   * Stops calls that nobody waits for any more. If the workflow continues as new, its next run rejoins them instead.
   */
  async settled(continues: boolean): Promise<void> {
    if (continues || this.#open.size === 0) return
    this.#scope.cancel()
    await Promise.allSettled(this.#open.values())
  }
}

/** Events of a history at the first try of the first workflow task: workflow started, task scheduled, task started. */
const FIRST_TRY_EVENTS = 3

/**
 * Derives the earlier tries that recorded nothing from the length of the history. If the first workflow task is not at
 * its first try, its worker was lost, possibly because of the leg that the task begins.
 */
function triedBefore(opens: boolean): Tried {
  if (workflowInfo().historyLength <= FIRST_TRY_EVENTS) return 'no'
  return opens ? 'lost' : 'maybe'
}
