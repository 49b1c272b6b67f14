import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinary } from '../../dev/binaries/find-binary.ts'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { saySilently } from '../../dev/say.ts'
import { mongodSpec, mongodUri } from '../../dev/servers/mongod.ts'

/** A mongod of a test's own, to be killed. */
export interface PrivateMongod {
  uri: string
  port: number
  kill: () => Promise<void>
  /** Starts it again on the same port and data. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** Starts one that can also be told to fail on purpose. */
export async function startMongod(): Promise<PrivateMongod> {
  const dataDir = await mkdtemp(join(tmpdir(), 'troupe-mongod-'))
  const binary = await findBinary('mongod', { environment: process.env, say: saySilently })
  const port = await freePort()
  const spec = mongodSpec({ binary, port, dataDir, logDir: dataDir })
  const managed = new ManagedProcess({
    ...spec,
    arguments: [...spec.arguments, '--setParameter', 'enableTestCommands=1'],
  })
  await managed.start()
  return {
    uri: mongodUri(port),
    port,
    kill: () => managed.kill(),
    start: () => managed.start(),
    async stop() {
      await managed.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
