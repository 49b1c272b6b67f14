import type Router from '@koa/router'
import { resolveResponse, type ResolvedResponse } from '../../contracts/responses.ts'
import { TroupeError } from '../../core/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { findExecution } from '../reads/executions.ts'
import { jsonObject } from '../http/json-text.ts'
import { outputsText } from '../views/execution.ts'
import { serveEndpoint } from '../http/serve-endpoint.ts'

/** Route of full responses, wherever they are stored. */
export function serveResponses(router: Router, deps: Dependencies): void {
  serveEndpoint(router, deps, resolveResponse, async ({ parameters: { task_id }, responseClosed }) => {
    const execution = await findExecution(deps.store, task_id)
    if (execution.status === 'running') {
      throw new TroupeError('not_found', `Task "${task_id}" has not ended yet, so it has no response. Try again later.`)
    }
    const data = await outputsText(deps, execution, responseClosed)
    const { outputs } = execution
    const pointer = data !== null && outputs !== null && 'pointer' in outputs ? outputs.pointer : null
    return jsonObject<ResolvedResponse>({ task_id, offloaded: pointer !== null, pointer, data })
  })
}
