import Router from '@koa/router'
import * as contract from '../../contracts/deletion.ts'
import { deleteBatch, deleteExecution } from '../../store/deletion.ts'
import type { Dependencies } from '../dependencies.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Deletion of what has ended. */
export function deletionRoutes(deps: Dependencies): Router {
  const router = new Router({ sensitive: true })

  serveEndpoint(router, deps, contract.deleteJob, async ({ parameters: { job_id: id } }) => {
    return { ok: true, id, deleted: await deleteExecution(deps, id) }
  })

  serveEndpoint(router, deps, contract.deleteBatch, async ({ parameters: { batch_id: id } }) => {
    return { ok: true, id, deleted: await deleteBatch(deps, id) }
  })

  return router
}
