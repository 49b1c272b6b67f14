import { createHash, randomBytes } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'

const LIFE_MS = 30_000
const TICKET_BYTES = 32

interface TicketDocument {
  /** A digest: who reads the database learns no ticket. */
  _id: string
  /** Whose ticket it is: the digest of the key that asked for it; empty where the service asks for no key. */
  key_digest: string
  expires_at: Date
}

/**
 * Makes a ticket that opens one WebSocket, at any API process of the installation.
 * @param keyDigest - of the key that asks for it.
 */
export async function issueTicket(
  store: Pick<Store, 'db'>,
  keyDigest: string,
  now: Date,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFE_MS)
  await ticketsOf(store).insertOne({ _id: digest(ticket), key_digest: keyDigest, expires_at: expiresAt })
  return { ticket, expiresAt }
}

/** Takes a ticket: the digest of its key for the first who presents it in time, undefined for everybody else. */
export async function redeemTicket(store: Pick<Store, 'db'>, ticket: string, now: Date): Promise<string | undefined> {
  const taken = await ticketsOf(store).findOneAndDelete({ _id: digest(ticket) })
  return taken !== null && taken.expires_at > now ? taken.key_digest : undefined
}

function ticketsOf({ db }: Pick<Store, 'db'>): Collection<TicketDocument> {
  return db.collection<TicketDocument>('tickets')
}

function digest(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
