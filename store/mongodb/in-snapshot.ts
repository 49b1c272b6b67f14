import type { ClientSession } from 'mongodb'
import type { Store } from './connect.ts'

/**
 * Reads that all see the same moment. A server keeps a moment for minutes only: read nothing at a client's pace here.
 * @throws the errors of the driver, and those of `read`
 */
export async function inSnapshot<Result>(
  { client }: Pick<Store, 'client'>,
  read: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  // The driver refuses a snapshot as long as it has not heard from a server: it takes it for an old one.
  await client.connect()
  return client.withSession({ snapshot: true }, read)
}
