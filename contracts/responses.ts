import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { jsonObject, pointer } from './fields.ts'

/** The full response of an execution, wherever it is stored. */
export const resolvedResponse = z
  .object({
    task_id: z.string(),
    offloaded: z.boolean().describe('True when the response is stored in the object store.'),
    pointer: pointer.nullable().describe('Null when the response is stored inline.'),
    data: jsonObject.nullable().describe('The full response; null for a canceled execution.'),
  })
  .meta({ id: 'ResolvedResponse' })

export type ResolvedResponse = z.infer<typeof resolvedResponse>

export const resolveResponse = defineEndpoint({
  id: 'resolveResponse',
  method: 'get',
  path: '/api/responses/{task_id}/resolved',
  tag: 'Responses',
  summary: 'Gets the full response of a task, wherever it is stored',
  parameters: { task_id: 'Id of any execution that has ended.' },
  response: resolvedResponse,
  errors: [404, 502],
})
