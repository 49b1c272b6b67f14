import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { isObject } from '../../core/json.ts'
import type { AgentRun, EndStatus, LegResult } from '../../core/execution.ts'
import { depthOf, endPath, stepKey } from '../../core/step-path.ts'
import { decideTake, MAX_LOST_WORKERS, type Take } from '../../core/transitions.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { idRange } from '../../store/mongodb/id-range.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'
import type { TakeChange } from '../../store/ledger/entry.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import { recordLost } from '../records/outside-failure.ts'
import { recordStray } from '../records/agent-record.ts'
import { Attempt, type AttemptOptions } from '../attempt/attempt.ts'
import type { RunControl } from '../attempt/in-process-runs.ts'
import type { Leg } from '../attempt/leg.ts'
import { runAgent } from './run-agent.ts'
import { mayTellWhatItUsed, Stop, stopOf } from '../attempt/stop.ts'
import { recordedResult } from '../records/transcript.ts'

/** A run that has cost several workers begins apart from others like it: it alone is to blame for the next one. */
const suspects = pLimit(1)
const SUSPECT_MS = 5_000
/** How long the work of a run that was canceled, or whose worker ends, may go on, to record what it has used. */
const LET_GO_MS = 1_000
/** How long others may have to wait for the word that a run was let go. */
const RELEASE_MS = 5_000
/** Made once: an error costs more than all else that the end of a quick run does. */
const ENDED = new Stop('given_up', 'The run has ended.')

/**
 * Runs a leg as soon as this worker may: waits while another attempt holds the run and its worker lives, takes the run
 * over from a dead one, and gives up a run that has cost too many workers.
 */
export async function takeRun(deps: ActivityDependencies, run: AgentRun, control: RunControl): Promise<LegResult> {
  const { signal, progress, tried, place, isSeen } = control
  const { workers } = deps
  for (;;) {
    const execution = await deps.store.byId.execution(run.job)
    const status = await endOf(deps, run, execution)
    if (status !== undefined || execution === null) return { status: status ?? 'canceled' }
    const seen = execution.takes?.[fieldName(run.path)]
    if (seen !== undefined) isSeen()
    const records = seen === undefined ? 0 : await countRecords(deps, run)
    const decision = decideTake({ seen, isAlive: workers.isAlive, me: workers.me, records, tried })
    if (decision.action === 'wait') {
      progress.now = 'is run by another worker'
      await place.rest(() => deps.watch.others(run, seen as Take, signal))
      signal.throwIfAborted()
      continue
    }
    if (decision.action === 'give_up') {
      const lost = await recordLost(deps, run, execution, seen as Take)
      if (lost !== 'overtaken') return { status: lost }
      continue
    }
    const resumes = seen?.worker === null && { resumes: true as const }
    const take: TakeChange = { from: seen?.attempt ?? null, take: { ...decision.take, worker: workers.me }, ...resumes }
    const attempt = (onEnter: () => void) => attemptRun(deps, run, execution, { take, onEnter }, control)
    const result = await (isSuspect(take) ? apart(deps, run, seen, control, attempt) : attempt(() => undefined))
    if (result !== 'overtaken') return result
  }
}

/** One attempt, to its end or until it is stopped. */
async function attemptRun(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
  { take, onEnter }: Pick<AttemptOptions, 'take' | 'onEnter'>,
  { signal, stop, progress, place, mayEnterUnseen }: RunControl,
): Promise<LegResult | 'overtaken'> {
  // Its own signal: being overtaken ends the attempt, not the run of this worker, which then waits for the other one.
  const controller = new AbortController()
  const pass = (): void => controller.abort(signal.reason)
  signal.addEventListener('abort', pass)
  if (signal.aborted) pass()
  const seen = execution.takes?.[fieldName(run.path)]
  const release = deps.watch.own(run, seen, (reason) =>
    reason.kind === 'overtaken' ? controller.abort(reason) : stop(reason),
  )
  progress.now = 'runs'
  let acquittal: NodeJS.Timeout | undefined
  const enter = (): void => {
    if (isSuspect(take)) acquittal = setTimeout(() => acquit(attempt), SUSPECT_MS)
    onEnter()
  }
  const attempt = new Attempt(deps, run, {
    take,
    controller,
    progress,
    // Of whom another one has had, the next one may know before.
    mayEnterUnseen: (taken) => take.from === null && mayEnterUnseen(taken),
    isFresh: isFresh(run, execution),
    onEnter: enter,
    place,
  })
  const leg: Leg = { deps, attempt, execution, runAgent: (called, inputs) => runAgent(leg, called, inputs) }
  let holds = true
  try {
    const result = await untilStopped(runAgent(leg, run), controller.signal)
    holds = result.status === 'parked' || result.status === 'canceled'
    return result
  } catch (error) {
    const reason = stopOf(controller.signal)
    if (reason?.kind === 'overtaken') return 'overtaken'
    if (reason?.kind === 'canceled') return { status: 'canceled' }
    if (reason?.kind !== 'stray_error') throw reason ?? error
    holds = false
    return { status: await recordStray(leg, run, reason.cause) }
  } finally {
    clearTimeout(acquittal)
    release()
    signal.removeEventListener('abort', pass)
    await pTimeout(attempt.letGo(holds), { milliseconds: RELEASE_MS, message: false })
    // Agents that code called and did not wait for would go on, and spend, for nothing.
    controller.abort(ENDED)
  }
}

/** The work of an attempt; one that was told to stop is left alone, whether or not its code heeds the signal. */
async function untilStopped(work: Promise<LegResult>, signal: AbortSignal): Promise<LegResult> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const heed = (): void => {
    const afterMs = mayTellWhatItUsed(signal) ? LET_GO_MS : 0
    setTimeout(() => reject(signal.reason), afterMs)
  }
  signal.addEventListener('abort', heed)
  if (signal.aborted) heed()
  work.catch(() => undefined)
  stopped.catch(() => undefined)
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', heed)
  }
}

/** How a run has ended, by the records; undefined while it goes on. */
async function endOf(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument | null,
): Promise<EndStatus | undefined> {
  if (execution === null) return 'canceled'
  if (execution.status !== 'running') return execution.status
  const path = endPath(run)
  if (path === 'end') return undefined
  const outcome = await recordedResult(deps, run.job, path)
  if (outcome === undefined) return undefined
  return isObject(outcome) && 'error' in outcome ? 'failed' : 'completed'
}

/** Records of a run and of the agents that it called; what was begun or failed counts for nothing. */
async function countRecords({ store }: ActivityDependencies, { job, path }: AgentRun): Promise<number> {
  const below = ['.', '>'].map((border) => ({ _id: idRange(stepKey(job, `${path}${border}`)) }))
  return store.steps.countDocuments({ $or: below, result: { $ne: null } })
}

/**
 * Whether nothing of a run can be recorded: nobody has taken it. A called agent may have run inside a leg of its caller before it
 * came to a run of its own, and version 0.1.0, whose executions may go on today, knew no takes.
 */
function isFresh({ path }: AgentRun, { takes, started_at }: ExecutionDocument): boolean {
  if (depthOf(path) > 0) return false
  return takes === undefined ? started_at === undefined : takes[fieldName(path)] === undefined
}

function isSuspect({ take }: TakeChange): boolean {
  return take.lost >= MAX_LOST_WORKERS - 1
}

/** It did no harm while it alone could: when the worker is lost later, it may have been another one. */
function acquit(attempt: Attempt): void {
  attempt.append({ events: [], acquits: true }).catch(() => undefined)
}

/**
 * One suspect begins after the other: each has some time of its own, in which it alone may take the worker along. One that is
 * stopped while it queues leaves the queue at once.
 */
function apart<Result>(
  { watch }: ActivityDependencies,
  run: AgentRun,
  seen: Take | undefined,
  { signal, stop }: RunControl,
  begin: (onEnter: () => void) => Promise<Result>,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const release = watch.own(run, seen, stop)
  const leave = (): void => reject(signal.reason)
  const comeToTurn = (): void => {
    release()
    signal.removeEventListener('abort', leave)
  }
  signal.addEventListener('abort', leave)
  void suspects(async () => {
    comeToTurn()
    if (signal.aborted) return leave()
    const running = begin(enter)
    running.then(resolve, reject)
    await Promise.race([running.catch(() => undefined), entered.then(() => sleep(SUSPECT_MS))])
  })
  return promise.finally(comeToTurn)
}
