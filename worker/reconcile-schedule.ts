import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client'

/** A gap between the records and what runs is found after at most this long, and the grace period of the pass. */
const EVERY = '15 seconds'

/** Creates the schedule of the reconciler; one that exists is left alone. */
export async function scheduleReconcile(temporal: Client, queue: string): Promise<void> {
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
