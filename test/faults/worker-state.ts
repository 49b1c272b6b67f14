import type { ServiceProcess } from '../support/processes.ts'
import { eventually, type TestService } from '../support/service.ts'

/** Beats after which a worker has certainly heard what happened while it stood still. */
const BEATS_TO_CATCH_UP = 4

/** Stops a worker where it stands, as a virtual machine does that is paused. */
export function freeze({ pid }: ServiceProcess): void {
  process.kill(pid ?? 0, 'SIGSTOP')
}

/** Lets a frozen worker go on, and waits until it has caught up. */
export async function thaw(service: TestService, worker: ServiceProcess): Promise<void> {
  process.kill(worker.pid ?? 0, 'SIGCONT')
  await caughtUp(service, worker)
}

/** Waits until a worker has beaten a few times more, and so has heard what happened meanwhile. */
export async function caughtUp({ store }: TestService, worker: ServiceProcess | undefined): Promise<void> {
  const beats = async (): Promise<number> => {
    const row = await store.workers.findOne({ identity: new RegExp(`^${worker?.pid}@`) })
    return row?.beats ?? 0
  }
  const before = await beats()
  await eventually(beats, (now) => now >= before + BEATS_TO_CATCH_UP)
}

/** Pid of the worker that holds the run of an execution's first agent; undefined while nobody does. */
export async function holderOf({ store }: TestService, id: string): Promise<number | undefined> {
  const execution = await store.executions.findOne({ _id: id })
  const worker = execution?.takes?.['0']?.worker
  const row = worker == null ? null : await store.workers.findOne({ _id: worker })
  return row === null ? undefined : Number.parseInt(row.identity, 10)
}
