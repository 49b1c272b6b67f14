import { TroupeError } from '../../client/index.ts'
import { troupe } from '../api/session.ts'

const MIN_PREFIX = 4

/** What an id, or the beginning of an execution's, names; undefined when it names nothing here. */
export async function findId(wanted: string): Promise<{ kind: 'execution' | 'batch'; id: string } | undefined> {
  if (/^[0-9a-f-]+$/i.test(wanted) && wanted.length >= MIN_PREFIX) {
    const { jobs } = await troupe().request('get', '/api/jobs', { query: { id_prefix: wanted.slice(0, 36), limit: 1 } })
    if (jobs[0] !== undefined) return { kind: 'execution', id: jobs[0].job_id }
  }
  try {
    await troupe().request('get', '/api/batches/{batch_id}/tasks', { path: { batch_id: wanted }, query: { limit: 1 } })
    return { kind: 'batch', id: wanted }
  } catch (error) {
    if (error instanceof TroupeError && error.status === 404) return undefined
    throw error
  }
}
