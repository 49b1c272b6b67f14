/** Every code an error of Troupe can carry. Errors are recognised by it: never by their message, never by `instanceof`. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'storage_failed'
  | 'object_lost'
  | 'engine_unavailable'
  | 'unavailable'

/** The one error that the service throws on purpose: a code for programs and a sentence for people. */
export class TroupeError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TroupeError'
    this.code = code
  }
}

/** The code of anything that was thrown: a TroupeError's, a driver's, a system call's; `undefined` where there is none. */
export function codeOf(error: unknown): string | number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}

/** A readable sentence for anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name
  return typeof error === 'string' ? error : String(error)
}
