import { createHash, randomBytes } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { Store } from '../mongodb/connect.ts'

const LIFE_MS = 30_000
const TICKET_BYTES = 32

interface TicketDocument {
  /** A digest, so that a reader of the database learns no ticket. */
  _id: string
  /** The ticket's owner: the digest of the key that requested it; empty if the service requires no key. */
  key_digest: string
  expires_at: Date
}

/**
 * Issues a ticket that opens one WebSocket at any API process of the installation.
 * @param keyDigest - digest of the key that requests it.
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

/** Redeems a ticket once: returns the digest of its key, or undefined if the ticket is unknown, used or expired. */
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
