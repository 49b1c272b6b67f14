import type { InProcessRuns } from '../activities/attempt/in-process-runs.ts'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import { logFields } from '../log-context.ts'

/**
 * Handles errors that agent code throws outside of any call, from an unawaited promise or a timer. Such an error ends
 * its run, not the process. An exception that belongs to no run ends the process, because the process's state is
 * unknown.
 */
export function catchStrayErrors(runs: InProcessRuns, log: Log): void {
  process.on('unhandledRejection', (error) => {
    if (!endRun(runs, log, error)) log.error({ err: error }, 'unhandled rejection outside of any run')
  })
  process.on('uncaughtException', (error) => {
    if (endRun(runs, log, error)) return
    log.fatal({ err: error }, 'uncaught exception outside of any run; stopping the worker')
    process.exit(1)
  })
}

/** The job id comes from the asynchronous context of the error. */
function endRun(runs: InProcessRuns, log: Log, error: unknown): boolean {
  const { job_id: job } = logFields()
  if (typeof job !== 'string' || !runs.stray(job, error)) return false
  log.error({ error: messageOf(error) }, 'stray error of an agent; ending its run')
  return true
}
