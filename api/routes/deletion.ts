import type Router from '@koa/router'
import * as contract from '../../contracts/deletion.ts'
import { clearCache } from '../../contracts/cache.ts'
import { clearAnswers } from '../../store/spending/clear-answers.ts'
import { deleteBatch, deleteExecution } from '../../store/housekeeping/deletion.ts'
import type { Dependencies } from '../dependencies.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Routes that delete ended executions and batches, and cached results. */
export function serveDeletion(router: Router, deps: Dependencies): void {
  serveEndpoint(router, deps, contract.deleteJob, async ({ parameters: { job_id: id } }) => {
    return { ok: true, id, deleted: await deleteExecution(deps, id) }
  })

  serveEndpoint(router, deps, contract.deleteBatch, async ({ parameters: { batch_id: id } }) => {
    return { ok: true, id, deleted: await deleteBatch(deps, id) }
  })

  serveEndpoint(router, deps, clearCache, async ({ query: { agent } }) => {
    return { ok: true, deleted: await clearAnswers(deps, agent) }
  })
}
