import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb'
import { TroupeError } from '../core/errors.ts'
import type { Store } from './connect.ts'

/** A transaction that takes this long may be waiting for one that nobody will end; somebody looks, and looks again. */
const LOOK_EVERY_MS = 2_000
/** Between the steps of a transaction there are milliseconds: one that idles this long has lost its process. */
const ABANDONED_MICROSECONDS = 4_000_000
/** A server ends a transaction after a minute: after this time there is nothing left to wait for. */
const SILENCE_MS = 90_000

/** Transactions under way by their client: one look serves them all, however many wait. */
const lookouts = new WeakMap<MongoClient, { waiting: number; timer: NodeJS.Timeout | undefined }>()

export interface TransactOptions extends Pick<TransactionOptions, 'readConcern' | 'writeConcern'> {
  /** How long a transaction that meets others is begun again; the driver's two minutes unless given. */
  patienceMs?: number
  /** How long an attempt, or its commit, may go without an end. */
  silenceMs?: number
}

/**
 * Runs a transaction, again and again while it meets others.
 *
 * A process that is killed inside a transaction leaves its documents locked until the server ends the transaction, which
 * takes it more than a minute. Whoever waits for them ends it in seconds; a process that was only slow tries again.
 *
 * A server that falls silent while a large command is being written to it is never noticed by the driver: it destroys the
 * connection, and goes on waiting for it. Such a transaction is left behind; what comes of it is found out by the next.
 * @throws TroupeError unavailable when the patience is over, the connection broke at the commit, or the server is silent
 */
export async function transact<Result>(
  store: Store,
  work: (session: ClientSession) => Promise<Result>,
  { patienceMs = Infinity, silenceMs = SILENCE_MS, ...options }: TransactOptions = {},
): Promise<Result> {
  let givenUpAt = Date.now() + patienceMs
  const silence = Promise.withResolvers<never>()
  const giveUp = (): void => {
    givenUpAt = 0
    silence.reject(new TroupeError('unavailable', 'The database does not answer; try again.'))
  }
  const watchdog = setTimeout(giveUp, silenceMs)
  let committing = false
  const attempt = async (session: ClientSession): Promise<Result> => {
    committing = false
    if (Date.now() > givenUpAt) throw new TroupeError('unavailable', 'The database is busy; try again.')
    watchdog.refresh()
    const result = await work(session)
    committing = true
    watchdog.refresh()
    return result
  }
  const release = lookOut(store)
  try {
    const done = store.client.withSession((session) => session.withTransaction(() => attempt(session), options))
    return await Promise.race([done, silence.promise])
  } catch (error) {
    // A socket's own error makes the driver stumble here: it asks it for labels, which only errors of MongoDB have.
    if (!committing || !(error instanceof TypeError)) throw error
    throw new TroupeError('unavailable', 'The database did not confirm a commit; try again.', { cause: error })
  } finally {
    clearTimeout(watchdog)
    release()
  }
}

/** Looks for abandoned transactions as long as any transaction of the client is under way. */
function lookOut({ client }: Store): () => void {
  const lookout = lookouts.get(client) ?? { waiting: 0, timer: undefined }
  lookouts.set(client, lookout)
  const look = (): void => {
    // The next look is set when this one has ended: a slow server is not asked twice at a time.
    const again = (): void => {
      lookout.timer = lookout.waiting > 0 ? setTimeout(look, LOOK_EVERY_MS) : undefined
    }
    endAbandoned(client).then(again, again)
  }
  lookout.waiting += 1
  lookout.timer ??= setTimeout(look, LOOK_EVERY_MS)
  return () => {
    lookout.waiting -= 1
    if (lookout.waiting > 0) return
    clearTimeout(lookout.timer)
    lookout.timer = undefined
  }
}

async function endAbandoned(client: MongoClient): Promise<void> {
  const admin = client.db('admin')
  const sessions = await admin
    .aggregate<{ lsid: { id: unknown } }>(
      [
        { $currentOp: { idleSessions: true } },
        {
          $match: {
            active: false,
            appName: /^troupe-/,
            'transaction.timeInactiveMicros': { $gt: ABANDONED_MICROSECONDS },
          },
        },
        { $project: { lsid: 1 } },
      ],
      { maxTimeMS: LOOK_EVERY_MS },
    )
    .toArray()
  if (sessions.length > 0) await admin.command({ killSessions: sessions.map(({ lsid }) => ({ id: lsid.id })) })
}
