import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import { retryUntilConnected } from './retry-until-connected.ts'

/** The longest time until a gap between records and workflows is found. */
const EVERY = '15 seconds'

/** The longest time until a missing schedule is created again. */
const LOOK_MS = 30_000

/**
 * Creates the reconciler's schedule, and recreates it whenever it is missing: after a manual delete, or after a loss of
 * Temporal's data, when the reconciler is needed most. Resolves when the schedule exists.
 * @returns a function that stops the checks.
 */
export async function keepReconciling(temporal: Client, queue: string, log: Log): Promise<() => void> {
  const create = () => scheduleReconcile(temporal, queue)
  await retryUntilConnected('Temporal', log, create)
  const timer = setInterval(() => {
    create().catch((error: unknown) => log.warn({ error: messageOf(error) }, 'cannot update the reconcile schedule'))
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Leaves an existing schedule unchanged. */
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
        // A stuck pass must not prevent later passes.
        workflowRunTimeout: '5 minutes',
      },
      // A missed pass is not made up, because the next one finds the same gaps.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10 seconds' },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
