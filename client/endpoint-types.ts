import type { components, paths } from './openapi.ts'

/** A path of the HTTP interface, with its `{parameters}`. */
export type ApiPath = keyof paths & string

/** The methods of a path. */
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

/** A body that is already JSON text. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The parts of a request to an endpoint. */
export type RequestOf<Path extends ApiPath, Method extends MethodOf<Path>> = PathParameters<OperationOf<Path, Method>> &
  Query<OperationOf<Path, Method>> &
  Body<OperationOf<Path, Method>> &
  CallOptions

/** The response of an endpoint: JSON, or text if it has no JSON response. */
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

/** A schema component of the OpenAPI document by name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Idempotency-Key of a submission; a random one by default. */
  idempotencyKey?: string | undefined
  /** Timeout of an attempt in milliseconds; null disables it, for calls that wait for work. */
  timeoutMs?: number | null | undefined
  /** Number of retries after temporary failures; defaults to the client's option. */
  retries?: number | undefined
}
