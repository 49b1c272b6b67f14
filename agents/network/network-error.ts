/** Codes of errors that only guarded requests have. */
export type NetworkErrorCode =
  /** The URL, the address or the redirect is not permitted. */
  | 'network_refused'
  /** The response is larger than the limit. */
  | 'response_too_large'

/** The guard refused or ended a request. The message is a sentence for people and models. */
export class NetworkError extends Error {
  readonly code: NetworkErrorCode

  constructor(code: NetworkErrorCode, message: string) {
    super(message)
    this.name = 'NetworkError'
    this.code = code
  }
}
