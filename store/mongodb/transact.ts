import type { ClientSession, TransactionOptions } from 'mongodb'
import { TroupeError } from '../../core/errors.ts'
import type { Store } from './connect.ts'

/** A server ends a transaction after its own limit, a minute unless it is set: after this time there is nothing to wait for. */
const IDLE_TIMEOUT_MS = 90_000

export interface TransactOptions extends Pick<TransactionOptions, 'readConcern' | 'writeConcern'> {
  /** How long a transaction that meets others is begun again; the driver's two minutes unless given. */
  timeoutMs?: number
  /** How long an attempt, or its commit, may go without an end. */
  idleTimeoutMs?: number
}

/**
 * Runs a transaction, again and again while it meets others.
 *
 * A process that is killed inside a transaction leaves its documents locked until the server ends the transaction: the
 * servers that come with Troupe do so after seconds (`transactionLifetimeLimitSeconds`), others are to be set so.
 *
 * A server that falls silent while a large command is being written to it is never noticed by the driver: it destroys the
 * connection, and goes on waiting for it. Such a transaction is left behind; what comes of it is found out by the next.
 * @throws TroupeError unavailable after the time-out, or when the connection broke at the commit, or the server is silent
 */
export async function transact<Result>(
  store: Store,
  work: (session: ClientSession) => Promise<Result>,
  { timeoutMs = Infinity, idleTimeoutMs = IDLE_TIMEOUT_MS, ...options }: TransactOptions = {},
): Promise<Result> {
  let deadline = Date.now() + timeoutMs
  const silence = Promise.withResolvers<never>()
  const giveUp = (): void => {
    deadline = 0
    silence.reject(new TroupeError('unavailable', 'The database does not answer; try again.'))
  }
  const watchdog = setTimeout(giveUp, idleTimeoutMs)
  let committing = false
  const attempt = async (session: ClientSession): Promise<Result> => {
    committing = false
    if (Date.now() > deadline) throw new TroupeError('unavailable', 'The database is busy; try again.')
    watchdog.refresh()
    const result = await work(session)
    committing = true
    watchdog.refresh()
    return result
  }
  try {
    const done = store.client.withSession((session) => session.withTransaction(() => attempt(session), options))
    return await Promise.race([done, silence.promise])
  } catch (error) {
    // A socket's own error makes the driver stumble here: it asks it for labels, which only errors of MongoDB have.
    if (!committing || !(error instanceof TypeError)) throw error
    throw new TroupeError('unavailable', 'The database did not confirm a commit; try again.', { cause: error })
  } finally {
    clearTimeout(watchdog)
  }
}
