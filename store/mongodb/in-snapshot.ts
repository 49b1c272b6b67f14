import type { ClientSession } from 'mongodb'
import type { Store } from './connect.ts'

/**
 * Runs reads in one snapshot. A server keeps a snapshot for minutes only, so the reads must not depend on a client's
 * pace.
 * @throws the errors of the driver, and those of `read`
 */
export async function inSnapshot<Result>(
  { client }: Pick<Store, 'client'>,
  read: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  // Until it has contacted a server, the driver refuses snapshots, because it assumes an old server.
  await client.connect()
  return client.withSession({ snapshot: true }, read)
}
