import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import { retryUntilConnected } from './retry-until-connected.ts'

/** A gap between the records and what runs is found after at most this long, and the grace period of the pass. */
const EVERY = '15 seconds'

/** A schedule that is gone is back after at most this long. */
const LOOK_MS = 30_000

/**
 * Creates the schedule of the reconciler, and again when it is gone: deleted by hand, or lost with all that Temporal knew,
 * which is when it is needed most. Resolves when it is there.
 * @returns what stops looking after it.
 */
export async function keepReconciling(temporal: Client, queue: string, log: Log): Promise<() => void> {
  const create = () => scheduleReconcile(temporal, queue)
  await retryUntilConnected('Temporal', log, create)
  const timer = setInterval(() => {
    create().catch((error: unknown) => log.warn({ error: messageOf(error) }, 'cannot update the reconcile schedule'))
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** One that exists is left alone. */
async function scheduleReconcile(temporal: Client, queue: string): Promise<void> {
  const id = `${queue}-reconcile`
  try {
    await temporal.schedule.create({
      scheduleId: id,
      spec: { intervals: [{ every: EVERY }] },
      action: {
        type: 'startWorkflow',
        workflowType: 'reconcile',
        workflowId: id,
        taskQueue: queue,
        args: [],
        // A pass that cannot go on must not keep those after it from starting.
        workflowRunTimeout: '5 minutes',
      },
      // A pass that was missed needs no making up: the next one sees the same gaps.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10 seconds' },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
