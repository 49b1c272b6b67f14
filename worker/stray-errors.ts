import type { InProcessRuns } from '../activities/attempt/in-process-runs.ts'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import { logFields } from '../log-context.ts'

/**
 * What code of an agent throws where nobody can catch it (a promise that nobody awaits, a timer) ends the run that it belongs
 * to, not the process. An exception that belongs to no run ends the process: nobody knows what state it is in.
 */
export function catchStrayErrors(runs: InProcessRuns, log: Log): void {
  process.on('unhandledRejection', (error) => {
    if (!endRun(runs, log, error)) log.error({ err: error }, 'unhandled rejection outside of any run')
  })
  process.on('uncaughtException', (error) => {
    if (endRun(runs, log, error)) return
    log.fatal({ err: error }, 'uncaught exception outside of any run; the worker ends')
    process.exit(1)
  })
}

/** The job is that of the asynchronous context that the error came from. */
function endRun(runs: InProcessRuns, log: Log, error: unknown): boolean {
  const { job_id: job } = logFields()
  if (typeof job !== 'string' || !runs.stray(job, error)) return false
  log.error({ error: messageOf(error) }, 'stray error of an agent: its run ends')
  return true
}
