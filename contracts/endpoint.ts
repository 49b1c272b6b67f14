import { z, type ZodType } from 'zod'

/** Permissions of a key: `read` reads, `submit` also submits and cancels, `admin` also deletes and manages. */
export const role = z.enum(['read', 'submit', 'admin'])

export type Role = z.infer<typeof role>

/** Names of the `{parameters}` of a path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** One endpoint of the HTTP interface: the schemas that its route validates with, its response, and its description in /docs. */
export interface Endpoint<
  Path extends string = string,
  Query extends ZodType = ZodType,
  Body extends ZodType = ZodType,
  Response extends ZodType = ZodType,
> {
  /** Unique; the operationId of the OpenAPI document. */
  id: string
  method: 'get' | 'post' | 'delete'
  /** With `{parameters}`. */
  path: Path
  tag: string
  summary: string
  description: string
  /** Description of each path parameter. */
  parameters: Record<PathParameters<Path>, string>
  query: Query
  /** Undefined when the endpoint reads no body. */
  body: Body | undefined
  /** A missing body counts as `{}`. */
  bodyOptional: boolean
  response: Response
  /** The endpoint starts work and accepts an Idempotency-Key. */
  submits: boolean
  /** The endpoint changes nothing, so concurrent equal requests may share one response. False for a GET that starts work. */
  reads: boolean
  /** Clients poll the endpoint, so its response has an ETag. Only for responses that are a single string. */
  revalidates: boolean
  /** The field that is returned alone, as plain text, unless the client accepts JSON. */
  textField: string | undefined
  /** The endpoint responds within seconds or with 503; false when the work itself may take longer. */
  prompt: boolean
  /** The minimum role of a key that may use the endpoint. */
  role: Role
  /** Statuses in addition to those of every endpoint of its kind. */
  errors: (404 | 409 | 502)[]
  /** Body of the example in /docs. */
  example: unknown
}

type Needed = 'id' | 'method' | 'path' | 'tag' | 'summary' | 'response'

/** Defines an endpoint and fills in defaults for the omitted properties. */
export function defineEndpoint<
  Path extends string,
  Response extends ZodType,
  Query extends ZodType = z.ZodObject<Record<never, never>>,
  Body extends ZodType = z.ZodUndefined,
>(
  given: Pick<Endpoint<Path, Query, Body, Response>, Needed> & Partial<Endpoint<Path, Query, Body, Response>>,
): Endpoint<Path, Query, Body, Response> {
  const { submits = false, reads = given.method === 'get' } = given
  return {
    description: '',
    parameters: {} as Endpoint<Path>['parameters'],
    query: z.object({}) as unknown as Query,
    body: undefined,
    bodyOptional: false,
    submits,
    reads,
    revalidates: false,
    textField: undefined,
    prompt: reads || (!submits && given.method !== 'get'),
    role: reads ? 'read' : 'submit',
    errors: [],
    example: undefined,
    ...given,
  }
}
