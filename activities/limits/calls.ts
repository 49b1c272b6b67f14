import type { AccountLimits, AccountState } from '../../core/provider-account.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { Turn } from './waiting-line.ts'

export interface AccountOptions {
  store: Pick<Store, 'accounts'>
  log: Log
  /** Id of this worker. */
  worker: string
  account: string
  /** The operator's limits of the account; undefined for none. */
  limits: AccountLimits | undefined
}

/** A call that waits for its turn. */
export interface WantedCall extends Turn {
  /** Estimates the tokens of the prompt. Called only if tokens are limited. */
  promptTokens: () => number
  signal: AbortSignal
  /** The longest wait here, in ms; undefined for no limit. */
  longestWaitMs: number | undefined
}

/** A call that has begun. */
export interface BegunCall {
  /** How long the call had to wait. */
  throttledMs: number
  /** Reports the outcome of the call. */
  end: (outcome: CallOutcome) => void
}

export interface CallOutcome {
  /** Used tokens; undefined if the provider did no work for the call. */
  tokens?: { prompt: number; completion: number } | undefined
  learned?: AccountState['learned'] | undefined
  /** Why the provider could not serve the call; undefined if it did. */
  pushback?: { code: string; isLimit: boolean; retryAfterMs: number | undefined } | undefined
  /** The caller ended the call, which says nothing about the provider. */
  isAborted?: boolean
}
