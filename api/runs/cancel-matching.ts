import pLimit from 'p-limit'
import type { JobsCanceled } from '../../contracts/cancel-jobs.ts'
import type { ExecutionFilter } from '../../contracts/executions.ts'
import { codeOf } from '../../core/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { matchingRunning } from '../reads/execution-filter.ts'

const AT_ONCE = 8

/**
 * Cancels all running executions that match a filter, or only counts them.
 * @param responseClosed - fires when the client has disconnected; the remaining executions keep running.
 */
export async function cancelMatching(
  { store, runs }: Pick<Dependencies, 'store' | 'runs'>,
  filter: Omit<ExecutionFilter, 'status'>,
  dryRun: boolean,
  responseClosed: AbortSignal,
): Promise<JobsCanceled> {
  const running = await store.open.find(matchingRunning(filter), { projection: { _id: 1 } }).toArray()
  const counts: JobsCanceled = { matched: running.length, canceled: 0, already_ended: 0, failed: 0 }
  if (dryRun) return counts
  const limit = pLimit(AT_ONCE)
  const cancelOne = async (id: string): Promise<void> => {
    if (responseClosed.aborted) return
    const outcome = await runs.cancel(id).catch((error: unknown) => error)
    if (typeof outcome === 'object' && outcome !== null && 'ok' in outcome) {
      counts[outcome.ok === true ? 'canceled' : 'already_ended'] += 1
    } else counts[codeOf(outcome) === 'not_found' ? 'already_ended' : 'failed'] += 1
  }
  await Promise.all(running.map(({ _id }) => limit(() => cancelOne(_id))))
  return counts
}
