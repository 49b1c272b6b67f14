/** Why a guarded request failed, beside what any request can fail of. */
export type NetworkErrorCode =
  /** The address, the redirect or the URL is not permitted. */
  | 'network_refused'
  /** The response is larger than the limit. */
  | 'response_too_large'

/** A request that the guard refused or broke off; its message is a sentence for people and models. */
export class NetworkError extends Error {
  readonly code: NetworkErrorCode

  constructor(code: NetworkErrorCode, message: string) {
    super(message)
    this.name = 'NetworkError'
    this.code = code
  }
}
