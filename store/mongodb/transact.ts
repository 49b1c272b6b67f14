import type { ClientSession, TransactionOptions } from 'mongodb'
import { TroupeError } from '../../core/errors.ts'
import type { Store } from './connect.ts'

/** Longer than the server's own limit for a transaction (by default a minute): no response can come after it. */
const IDLE_TIMEOUT_MS = 90_000

export interface TransactOptions extends Pick<TransactionOptions, 'readConcern' | 'writeConcern'> {
  /** How long a conflicting transaction is retried; default: the driver's two minutes. */
  timeoutMs?: number
  /** Time limit of one attempt, and of its commit. */
  idleTimeoutMs?: number
}

/**
 * Runs a transaction and retries it while it conflicts with others.
 *
 * If a process is killed inside a transaction, its documents stay locked until the server ends the transaction. The
 * servers that come with Troupe do so after seconds (`transactionLifetimeLimitSeconds`); other servers should be
 * configured likewise.
 *
 * The driver never notices that a server falls silent while a large command is being written to it: it destroys the
 * connection and continues to wait. Such a transaction is abandoned, and its outcome is visible to the next one.
 * @throws TroupeError unavailable after the time-out, if the connection breaks at the commit, or if the server is
 * silent
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
    // A socket error at the commit makes the driver throw a TypeError, because it reads labels that only MongoDB's
    // errors have.
    if (!committing || !(error instanceof TypeError)) throw error
    throw new TroupeError('unavailable', 'The database did not confirm a commit; try again.', { cause: error })
  } finally {
    clearTimeout(watchdog)
  }
}
