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

/** Runs that have cost several workers begin one at a time, so that the next loss has a single cause. */
const suspects = pLimit(1)
const SUSPECT_MS = 5_000
/** The time that the work of a canceled run, or of a stopping worker, has to record its usage. */
const LET_GO_MS = 1_000
/** The longest time for which others may have to wait for the release. */
const RELEASE_MS = 5_000
/** Created once, because an error object costs more than the rest of a short run's end. */
const ENDED = new Stop('given_up', 'The run has ended.')

/**
 * Runs a leg as soon as this worker may. It waits while another live worker holds the run, takes the run over from a
 * dead worker, and gives up a run that has cost too many workers.
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

/** One attempt, until it ends or is stopped. */
async function attemptRun(
  deps: ActivityDependencies,
  run: AgentRun,
  execution: ExecutionDocument,
  { take, onEnter }: Pick<AttemptOptions, 'take' | 'onEnter'>,
  { signal, stop, progress, place, mayEnterUnseen }: RunControl,
): Promise<LegResult | 'overtaken'> {
  // A separate signal: an overtaken attempt ends, while the worker's run waits for the other attempt.
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
    // If another attempt held the run, its worker must be able to see the new take first.
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
    // Agents that code called without awaiting them would continue, and spend, without a purpose.
    controller.abort(ENDED)
  }
}

/** The work of an attempt. Stopped work is abandoned, whether or not its code observes the signal. */
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

/** The recorded end of a run; undefined while it runs. */
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

/** The number of records of a run and its called agents. Records of starts and failures do not count. */
async function countRecords({ store }: ActivityDependencies, { job, path }: AgentRun): Promise<number> {
  const below = ['.', '>'].map((border) => ({ _id: idRange(stepKey(job, `${path}${border}`)) }))
  return store.steps.countDocuments({ $or: below, result: { $ne: null } })
}

/**
 * Whether a run can have no records because it was never taken. A called agent may have run within its caller's leg
 * before it became a separate run. Executions from version 0.1.0 have no takes and may still be running.
 */
function isFresh({ path }: AgentRun, { takes, started_at }: ExecutionDocument): boolean {
  if (depthOf(path) > 0) return false
  return takes === undefined ? started_at === undefined : takes[fieldName(path)] === undefined
}

function isSuspect({ take }: TakeChange): boolean {
  return take.lost >= MAX_LOST_WORKERS - 1
}

/** The run did no harm while it ran alone. A later loss of the worker may have another cause. */
function acquit(attempt: Attempt): void {
  attempt.append({ events: [], acquits: true }).catch(() => undefined)
}

/**
 * Begins suspects one after the other. Each runs alone for some time, in which no other suspect can cause the loss of
 * the worker. A suspect that is stopped leaves the queue at once.
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
