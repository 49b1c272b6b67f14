import { messageOf } from '../../core/errors.ts'
import type { AgentRun } from '../../core/execution.ts'
import type { Take } from '../../core/transitions.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { fieldName } from '../../store/mongodb/field-name.ts'
import { Stop } from './stop.ts'

/** Watches runs for changes: this worker's own runs, and runs of others that it waits for. */
export interface RunWatch {
  /**
   * Stops a run of this worker if the run is canceled, has ended otherwise, or is held by a worker other than the
   * previous holder.
   * @returns a function that ends the watch.
   */
  own: (run: AgentRun, seen: Take | undefined, stop: (reason: Stop) => void) => () => void
  /** Resolves when another worker's run may have progressed: it ended, was released or taken, or its worker died. */
  others: (run: AgentRun, seen: Take, signal: AbortSignal) => Promise<void>
}

export interface RunWatchOptions {
  store: Store
  log: Log
  me: string
  isAlive: (worker: string) => boolean
}

const POLL_MS = 250
const PROJECTION = { status: 1, completed_at: 1, takes: 1 } as const

type Seen = Pick<ExecutionDocument, '_id' | 'status' | 'completed_at' | 'takes'>

interface Owned {
  run: AgentRun
  seen: Take | undefined
  stop: (reason: Stop) => void
}

interface Awaited {
  run: AgentRun
  take: Take
  moved: () => void
}

/**
 * Creates the watch. While runs are watched, one query every quarter of a second finds the worker's own runs that must
 * stop, and another one the changed runs of others. Both queries read by `_id`, so their cost depends on the worker's
 * load and not on the number of stored executions. An idle worker sends no queries.
 */
export function createRunWatch(options: RunWatchOptions): RunWatch {
  const own = new Set<Owned>()
  const others = new Set<Awaited>()
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<void> => {
    try {
      await Promise.all([stopOwn(options, own), wakeOthers(options, others)])
    } catch (error) {
      options.log.debug({ error: messageOf(error) }, 'cannot read changes of runs')
    }
    timer = own.size + others.size > 0 ? setTimeout(look, POLL_MS) : undefined
  }
  const begin = (): void => void (timer ??= setTimeout(look, POLL_MS))

  return {
    own(run, seen, stop) {
      const owned = { run, seen, stop }
      own.add(owned)
      begin()
      return () => own.delete(owned)
    },
    async others(run, take, signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const moved = (): void => resolve()
      const awaited = { run, take, moved }
      others.add(awaited)
      begin()
      signal.addEventListener('abort', moved)
      if (signal.aborted) moved()
      await promise
      signal.removeEventListener('abort', moved)
      others.delete(awaited)
    },
  }
}

async function stopOwn({ store, me }: RunWatchOptions, own: Set<Owned>): Promise<void> {
  if (own.size === 0) return
  const byPath = Map.groupBy(own, ({ run }) => run.path)
  const clauses = [...byPath].map(([path, runs]) => ({
    _id: { $in: runs.map(({ run }) => run.job) },
    // A run without a take is about to be taken by this worker.
    $or: [{ status: { $ne: 'running' as const } }, { [`takes.${fieldName(path)}.worker`]: { $nin: [me, null] } }],
  }))
  const stopping = await store.executions.find({ $or: clauses }, { projection: PROJECTION }).toArray()
  // Most of these runs have ended by their own record and are no longer watched.
  const byJob = Map.groupBy(own, ({ run }) => run.job)
  for (const found of stopping) {
    for (const owned of byJob.get(found._id) ?? []) {
      const reason = reasonToStop(found, owned, me)
      if (reason !== undefined) owned.stop(reason)
    }
  }
}

function reasonToStop({ status, takes }: Seen, { run, seen }: Owned, me: string): Stop | undefined {
  if (status === 'canceled') return new Stop('canceled', 'The execution was canceled.')
  const { worker = null, attempt } = takes?.[fieldName(run.path)] ?? {}
  // Until the takeover, the take names the previous attempt, whose worker may return with a new one.
  const isOthers = worker !== null && worker !== me && attempt !== seen?.attempt
  if (status === 'running' && !isOthers) return undefined
  return new Stop('overtaken', 'Another worker has taken over, or the execution has ended.')
}

async function wakeOthers({ store, isAlive }: RunWatchOptions, others: Set<Awaited>): Promise<void> {
  if (others.size === 0) return
  const ids = [...new Set([...others].map(({ run }) => run.job))]
  const found = await store.executions.find({ _id: { $in: ids } }, { projection: PROJECTION }).toArray()
  const byId = new Map(found.map((execution) => [execution._id, execution]))
  for (const awaited of others) {
    const { run, take } = awaited
    if (hasMoved(byId.get(run.job), run, take) || take.worker === null || !isAlive(take.worker)) awaited.moved()
  }
}

function hasMoved(execution: Seen | undefined, { path }: AgentRun, seen: Take): boolean {
  if (execution === undefined || execution.status !== 'running' || execution.completed_at !== null) return true
  const take = execution.takes?.[fieldName(path)]
  return take?.attempt !== seen.attempt || take.worker !== seen.worker
}
