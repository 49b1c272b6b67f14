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
  /** What the operator allows it; undefined limits nothing. */
  limits: AccountLimits | undefined
}

/** A call that wants to begin. */
export interface WantedCall extends Turn {
  /** About how many tokens it sends. Asked for only where tokens are limited. */
  promptTokens: () => number
  signal: AbortSignal
  /** How long it may wait here, in ms; undefined: for as long as it takes. */
  longestWaitMs: number | undefined
}

/** A call that has begun. */
export interface BegunCall {
  /** How long it had to wait. */
  throttledMs: number
  /** Tells what became of it. */
  end: (outcome: CallOutcome) => void
}

export interface CallOutcome {
  /** Tokens that it used; undefined where the provider did no work for it. */
  tokens?: { prompt: number; completion: number } | undefined
  learned?: AccountState['learned'] | undefined
  /** Why the provider could not serve it; undefined when it did. */
  pushback?: { code: string; isLimit: boolean; retryAfterMs: number | undefined } | undefined
  /** The caller ended it: that says nothing of the provider. */
  isAborted?: boolean
}
