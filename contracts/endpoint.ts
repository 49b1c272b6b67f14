import { z, type ZodType } from 'zod'

/** What a key may do: read sees, submit also submits and cancels, admin also deletes and manages. */
export const role = z.enum(['read', 'submit', 'admin'])

export type Role = z.infer<typeof role>

/** Names of the `{parameters}` of a path. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never

/** One endpoint of the HTTP interface: what its route checks, what its handler may answer, what /docs says of it. */
export interface Endpoint<
  Path extends string = string,
  Query extends ZodType = ZodType,
  Body extends ZodType = ZodType,
  Answer extends ZodType = ZodType,
> {
  /** Unique; the operationId of the OpenAPI document. */
  id: string
  method: 'get' | 'post' | 'delete'
  /** With `{parameters}`, as the interface writes it. */
  path: Path
  tag: string
  summary: string
  description: string
  /** What the path's parameters are. */
  parameters: Record<PathParameters<Path>, string>
  query: Query
  /** Undefined where the endpoint reads no body. */
  body: Body | undefined
  /** No body at all counts as `{}`. */
  bodyOptional: boolean
  answer: Answer
  /** Starts work: takes an Idempotency-Key. */
  submits: boolean
  /** Changes nothing: one answer may be given to all who ask at the same time. A GET that starts work is none. */
  reads: boolean
  /** Asked again and again: its answer has an ETag. Only for answers that are one text. */
  revalidates: boolean
  /** The field of the answer that a client gets alone, as text, unless it asks for JSON. */
  textField: string | undefined
  /** Answers within seconds, or says that a server is away; false where the work itself takes its time. */
  prompt: boolean
  /** The least role of a key that may use it. */
  role: Role
  /** Statuses beside those that every endpoint of its kind can answer. */
  errors: (404 | 409 | 502)[]
  /** Body of the example in /docs. */
  example: unknown
}

type Needed = 'id' | 'method' | 'path' | 'tag' | 'summary' | 'answer'

/** Describes an endpoint; what is left out is empty. */
export function defineEndpoint<
  Path extends string,
  Answer extends ZodType,
  Query extends ZodType = z.ZodObject<Record<never, never>>,
  Body extends ZodType = z.ZodUndefined,
>(
  given: Pick<Endpoint<Path, Query, Body, Answer>, Needed> & Partial<Endpoint<Path, Query, Body, Answer>>,
): Endpoint<Path, Query, Body, Answer> {
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
