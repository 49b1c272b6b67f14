import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient, type Db } from 'mongodb'
import { codeOf, messageOf } from '../core/errors.ts'

// Initiates the replica set of new nodes and creates its users. An existing replica set is not changed, except for the
// passwords, which are set to those of the environment. This must run in the network of the first node: until a user exists,
// mongod permits the creation of one only over the localhost interface.

const REPLICA_SET = 'troupe'
const NOT_YET_INITIALIZED = 94
const ALREADY_INITIALIZED = 23
const USER_EXISTS = 51_003
const AUTHENTICATION_FAILED = 18
const DEADLINE_MS = 120_000
const POLL_MS = 500

const { MONGODB_ROOT_PASSWORD, MONGODB_PASSWORD, MONGODB_MEMBERS, MONGODB_DATABASE = 'troupe' } = process.env
if (!MONGODB_ROOT_PASSWORD || !MONGODB_PASSWORD || !MONGODB_MEMBERS) {
  throw new Error('MONGODB_ROOT_PASSWORD, MONGODB_PASSWORD and MONGODB_MEMBERS must be set.')
}
const members = MONGODB_MEMBERS.split(',').map((host, index) => ({
  _id: index,
  host,
  // Makes the first node the initial primary, on which the first user must be created.
  priority: index === 0 ? 2 : 1,
}))
const root = { username: 'root', password: MONGODB_ROOT_PASSWORD, source: 'admin' }

if (!(await rootLogsIn())) await createFirstUser()
await on(`mongodb://${MONGODB_MEMBERS}/?replicaSet=${REPLICA_SET}`, root, async (client) => {
  await createUser(client.db(MONGODB_DATABASE), 'troupe', MONGODB_PASSWORD, [
    { role: 'readWrite', db: MONGODB_DATABASE },
  ])
})
process.stdout.write(`The replica set of ${MONGODB_MEMBERS} and the user of ${MONGODB_DATABASE} are ready.\n`)

async function rootLogsIn(): Promise<boolean> {
  try {
    await on('mongodb://127.0.0.1:27017/?directConnection=true', root, (client) =>
      client.db('admin').command({ ping: 1 }),
    )
    return true
  } catch (error) {
    if (codeOf(error) === AUTHENTICATION_FAILED) return false
    throw error
  }
}

async function createFirstUser(): Promise<void> {
  await on('mongodb://127.0.0.1:27017/?directConnection=true', undefined, async (client) => {
    const admin = client.db('admin')
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } }).catch((error: unknown) => {
      if (codeOf(error) !== ALREADY_INITIALIZED) throw error
    })
    await untilPrimary(admin)
    await createUser(admin, 'root', root.password, [{ role: 'root', db: 'admin' }])
  })
}

async function untilPrimary(admin: Db): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const hello = await admin.command({ hello: 1 }).catch((error: unknown) => {
      if (codeOf(error) !== NOT_YET_INITIALIZED) throw error
      return { isWritablePrimary: false }
    })
    if (hello.isWritablePrimary === true) return
    if (Date.now() > deadline) throw new Error(`The first node did not become the primary within ${DEADLINE_MS} ms.`)
    await delay(POLL_MS)
  }
}

async function createUser(db: Db, name: string, pwd: string, roles: { role: string; db: string }[]): Promise<void> {
  try {
    await db.command({ createUser: name, pwd, roles })
  } catch (error) {
    if (codeOf(error) !== USER_EXISTS) throw error
    await db.command({ updateUser: name, pwd, roles })
  }
}

async function on(
  uri: string,
  user: typeof root | undefined,
  work: (client: MongoClient) => Promise<unknown>,
): Promise<void> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 30_000,
    writeConcern: { w: 'majority' },
    ...(user && { auth: { username: user.username, password: user.password }, authSource: user.source }),
  })
  try {
    await work(client)
  } catch (error) {
    throw Object.assign(new Error(`${uri}: ${messageOf(error)}`, { cause: error }), { code: codeOf(error) })
  } finally {
    await client.close()
  }
}
