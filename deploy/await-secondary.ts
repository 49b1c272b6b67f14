import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { messageOf } from '../core/errors.ts'

// Waits until a node of the replica set is a secondary that follows a primary and has caught up. Fails with an error if this
// does not happen in time. Uses only commands that need no authentication.
//   node deploy/await-secondary.ts <host:port> [<seconds>]

const POLL_MS = 500
const MAX_LAG_MS = 30_000

const [host, seconds = '600'] = process.argv.slice(2)
if (host === undefined) throw new Error('usage: await-secondary.ts <host:port> [<seconds>]')

const deadline = Date.now() + Number(seconds) * 1_000
for (let problem = await problemOf(host); problem !== undefined; problem = await problemOf(host)) {
  if (Date.now() > deadline) {
    process.stderr.write(`${host} is not a healthy secondary: ${problem}.\n`)
    process.exit(1)
  }
  await delay(POLL_MS)
}
process.stdout.write(`${host} is a healthy secondary.\n`)

async function problemOf(node: string): Promise<string | undefined> {
  try {
    const own = await hello(node)
    if (own.isWritablePrimary) return 'it is the primary'
    if (own.secondary !== true) return 'it has not caught up, or is not a member yet'
    if (own.primary === undefined) return 'it knows no primary'
    const primary = await hello(own.primary)
    const lagMs = primary.lastWrite.lastWriteDate.getTime() - own.lastWrite.lastWriteDate.getTime()
    return lagMs > MAX_LAG_MS ? `it is ${Math.round(lagMs / 1_000)} s behind` : undefined
  } catch (error) {
    return messageOf(error)
  }
}

interface Hello {
  isWritablePrimary: boolean
  secondary?: boolean
  /** host:port */
  primary?: string
  lastWrite: { lastWriteDate: Date }
}

async function hello(node: string): Promise<Hello> {
  const client = new MongoClient(`mongodb://${node}/?directConnection=true`, { serverSelectionTimeoutMS: 3_000 })
  try {
    return (await client.db('admin').command({ hello: 1 })) as Hello
  } finally {
    await client.close()
  }
}
