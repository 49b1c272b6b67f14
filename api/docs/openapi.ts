import { z } from 'zod'
import type { Endpoint } from '../../contracts/endpoint.ts'
import { endpoints } from '../../contracts/endpoints.ts'
import { errorBody, statusMeanings, type Status } from '../../contracts/errors.ts'
import { streams } from '../../contracts/streams.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** JSON Schema, as far as this document builds it. */
export type Schema = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema; example?: unknown } } }
  responses: Record<string, { description: string; content: { 'application/json': { schema: Schema } } }>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  security: Record<string, never[]>[]
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> }
}

const COMPONENTS = '#/components/schemas/'

/** The HTTP interface as an OpenAPI 3.1 document, made from the schemas that the routes check with. */
export function openApiDocument(): OpenApiDocument {
  const schemas: Record<string, Schema> = {}
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operationOf(endpoint, schemas) }
  }
  for (const { messages } of streams) messages.forEach((message) => schemaOf(message, 'output', schemas))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Troupe',
      version: packageJson.version,
      description: 'A durable orchestrator for AI agents. Every path needs a key when SERVICE_API_KEY is set.',
    },
    security: [{ apiKey: [] }, { bearer: [] }, {}],
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operationOf(endpoint: Endpoint, schemas: Record<string, Schema>): Operation {
  const { id, tag, summary, description, body, bodyOptional, example } = endpoint
  const content = (schema: Schema) => ({ 'application/json': { schema } })
  const success = schemaOf(endpoint.answer, 'output', schemas)
  const failure = schemaOf(errorBody, 'output', schemas)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    parameters: parametersOf(endpoint),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !bodyOptional,
            content: { 'application/json': { schema: schemaOf(body, 'input', schemas), example } },
          },
        }),
    responses: Object.fromEntries(
      statusesOf(endpoint).map((status) => [
        status,
        { description: statusMeanings[status], content: content(status === 200 ? success : failure) },
      ]),
    ),
  }
}

/** Every status that an endpoint can answer. */
function statusesOf({ method, submits, errors, query, parameters }: Endpoint): Status[] {
  const takesBody = method !== 'get'
  const checked = takesBody || Object.keys(parameters).length > 0 || Object.keys(fieldsOf(query)).length > 0
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

function parametersOf({ parameters, query, submits }: Endpoint): Parameter[] {
  const inPath = Object.entries<string>(parameters).map(([name, description]): Parameter => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }))
  const { required = [] } = toJsonSchema(query, 'input') as { required?: string[] }
  const inQuery = Object.entries(fieldsOf(query)).map(([name, { description, ...schema }]): Parameter => {
    return { name, in: 'query', required: required.includes(name), description: String(description ?? ''), schema }
  })
  const idempotencyKey: Parameter = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key and body within 24 hours give the first answer again.',
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
  }
  return [...inPath, ...inQuery, ...(submits ? [idempotencyKey] : [])]
}

function fieldsOf(query: z.ZodType): Record<string, Schema> {
  return (toJsonSchema(query, 'input').properties ?? {}) as Record<string, Schema>
}

/** A schema by reference to the components that it brings along, when it has a name. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Schema>): Schema {
  const { $defs = {}, ...rest } = toJsonSchema(schema, io) as { $defs?: Record<string, Schema> }
  Object.assign(schemas, $defs)
  return rest
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy })
  const { $schema: _dialect, ...rest } = whole as Schema
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${COMPONENTS}`)) as Schema
}

/** Leaves out what only zod needs, and keeps the defaults that are applied by a transformation. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Schema }): void {
  const fallback = z.globalRegistry.get(zodSchema)?.default
  if (fallback !== undefined) jsonSchema.default = fallback
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  // Answers may grow fields at any time, and unknown fields of requests are ignored.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  delete jsonSchema.id
}
