/** Every code of a Troupe error. Code recognises errors by this value, never by message or `instanceof`. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'storage_failed'
  | 'object_lost'
  | 'engine_unavailable'
  | 'unavailable'

/** The error that the service throws on purpose: a code for programs and a sentence for people. */
export class TroupeError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TroupeError'
    this.code = code
  }
}

/** The code of a thrown value, such as a TroupeError, a driver error or a system error; `undefined` if it has none. */
export function codeOf(error: unknown): string | number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}

/** A readable sentence for any thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name
  return typeof error === 'string' ? error : String(error)
}
