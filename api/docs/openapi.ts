import { z } from 'zod'
import { createDocument, type CreateDocumentOptions, type ZodOpenApiOperationObject } from 'zod-openapi'
import type { Endpoint } from '../../contracts/endpoint.ts'
import { endpoints } from '../../contracts/endpoints.ts'
import { errorBody, statusMeanings, type Status } from '../../contracts/errors.ts'
import { streams } from '../../contracts/streams.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { introduction } from './introduction.ts'

/** An OpenAPI document. */
export type OpenApiDocument = ReturnType<typeof createDocument>

/**
 * The HTTP interface as an OpenAPI 3.1 document, made from the schemas that the routes check with.
 * @param needsKey - whether this service answers nobody without a key.
 */
export function openApiDocument(needsKey = false): OpenApiDocument {
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  const paths = [...byPath].map(([path, all]) => [
    path,
    Object.fromEntries(all.map((one) => [one.method, operationOf(one)])),
  ])
  const messages = streams.flatMap((stream) => stream.messages.map((message) => [message.meta()?.id ?? '', message]))
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Troupe', version: packageJson.version, description: introduction() },
      security: [{ apiKey: [] }, { bearer: [] }, ...(needsKey ? [] : [{}])],
      tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
      paths: Object.fromEntries(paths),
      components: {
        schemas: Object.fromEntries(messages),
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    { override: tidy, allowEmptySchema: { custom: true, unknown: true }, outputIdSuffix: '' },
  )
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { id, tag, summary, description, body, bodyOptional, example, query, parameters, submits } = endpoint
  const inPath = Object.entries<string>(parameters).map(([name, meaning]) => [name, z.string().describe(meaning)])
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    requestParams: {
      path: z.object(Object.fromEntries(inPath)),
      query: query as z.ZodObject,
      ...(submits && { header: z.object({ 'Idempotency-Key': idempotencyKey }) }),
    },
    ...(body && {
      requestBody: { required: !bodyOptional, content: { 'application/json': { schema: body, example } } },
    }),
    responses: Object.fromEntries(
      statusesOf(endpoint).map((status) => {
        const schema = status === 200 ? endpoint.response : errorBody
        const text = status === 200 && endpoint.textField !== undefined && { 'text/plain': { schema: z.string() } }
        return [status, { description: statusMeanings[status], content: { 'application/json': { schema }, ...text } }]
      }),
    ),
  }
}

const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/)
  .optional()
  .describe('The same key and body within 24 hours give the first answer again.')

/** Every status that an endpoint can answer. */
function statusesOf({ method, submits, errors, query, parameters }: Endpoint): Status[] {
  const takesBody = method !== 'get'
  const queryFields = Object.keys((query as z.ZodObject).shape)
  const checked = takesBody || Object.keys(parameters).length > 0 || queryFields.length > 0
  const statuses: Status[] = [
    200,
    401,
    403,
    405,
    500,
    503,
    ...errors,
    ...(checked ? [400 as const] : []),
    ...(takesBody ? [408 as const, 413 as const] : []),
    // Large inputs go to the object store before the work starts.
    ...(submits ? [409 as const, 502 as const] : []),
  ]
  return [...new Set(statuses)].sort((one, other) => one - other)
}

/** Leaves out what only zod needs, and keeps the defaults that are applied by a transformation. */
const tidy: CreateDocumentOptions['override'] = ({ zodSchema, jsonSchema }) => {
  const fallback = z.globalRegistry.get(zodSchema)?.default
  if (fallback !== undefined) jsonSchema.default = fallback
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  // Answers may grow fields at any time, and unknown fields of requests are ignored.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}
