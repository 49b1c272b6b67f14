import { createHash, randomBytes } from 'node:crypto'
import type { Collection } from 'mongodb'
import type { Store } from './connect.ts'

const LIFE_MS = 30_000
const TICKET_BYTES = 32

interface TicketDocument {
  /** A digest: who reads the database learns no ticket. */
  _id: string
  expires_at: Date
}

/** Makes a ticket that opens one WebSocket, at any API process of the installation. */
export async function issueTicket(store: Pick<Store, 'db'>, now: Date): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFE_MS)
  await ticketsOf(store).insertOne({ _id: digest(ticket), expires_at: expiresAt })
  return { ticket, expiresAt }
}

/** Takes a ticket; true for the first who presents it in time. */
export async function redeemTicket(store: Pick<Store, 'db'>, ticket: string, now: Date): Promise<boolean> {
  const taken = await ticketsOf(store).findOneAndDelete({ _id: digest(ticket) })
  return taken !== null && taken.expires_at > now
}

function ticketsOf({ db }: Pick<Store, 'db'>): Collection<TicketDocument> {
  return db.collection<TicketDocument>('tickets')
}

function digest(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
