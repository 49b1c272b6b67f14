import type { components, paths } from './openapi.ts'

/** A path of the HTTP interface, with its `{parameters}`. */
export type ApiPath = keyof paths & string

/** The methods that a path has. */
export type MethodOf<Path extends ApiPath> = {
  [Name in keyof paths[Path]]: Name extends 'parameters' ? never : paths[Path][Name] extends object ? Name : never
}[keyof paths[Path]] &
  string

type Json = { 'application/json': unknown }
type OperationOf<Path extends ApiPath, Method extends MethodOf<Path>> = paths[Path][Method]

type PathParameters<Operation> = Operation extends { parameters: { path: infer Parameters } }
  ? { path: Parameters }
  : { path?: undefined }

type Query<Operation> = Operation extends { parameters: { query?: infer Parameters } }
  ? { query?: Parameters }
  : { query?: undefined }

type Body<Operation> = Operation extends { requestBody: { content: infer Content extends Json } }
  ? { body: Content['application/json'] | JsonText }
  : Operation extends { requestBody?: { content: infer Content extends Json } }
    ? { body?: Content['application/json'] | JsonText }
    : { body?: undefined }

/** A body that is JSON text already. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a request to an endpoint is made of. */
export type RequestOf<Path extends ApiPath, Method extends MethodOf<Path>> = PathParameters<OperationOf<Path, Method>> &
  Query<OperationOf<Path, Method>> &
  Body<OperationOf<Path, Method>> &
  CallOptions

/** What an endpoint responds with: JSON, or text where it is not JSON. */
export type ResponseOf<Path extends ApiPath, Method extends MethodOf<Path>> =
  OperationOf<Path, Method> extends { responses: { 200: { content: infer Content } } }
    ? Content extends Json
      ? Content['application/json']
      : string
    : unknown

/** The query of an endpoint. */
export type QueryOf<Path extends ApiPath, Method extends MethodOf<Path>> = NonNullable<
  Query<OperationOf<Path, Method>>['query']
>

/** A component of the OpenAPI document by its name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Idempotency-Key of a submission; a random one is made when it is left out. */
  idempotencyKey?: string | undefined
  /** Milliseconds until an attempt counts as lost; null: never, for calls that wait for work. */
  timeoutMs?: number | null | undefined
  /** Repetitions after failures that may pass; the client's own number when left out. */
  retries?: number | undefined
}
