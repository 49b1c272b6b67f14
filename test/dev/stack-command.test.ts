import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { S3Client, ListBucketsCommand } from '@aws-sdk/client-s3'
import { Connection } from '@temporalio/client'
import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { gone, runCommand, type Command } from './command.ts'

const READY = /The servers answer/

describe('npm run stack', () => {
  let dataDir: string
  let commands: Command[]

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'troupe-stack-command-'))
    commands = []
  })
  afterEach(async () => {
    for (const command of commands) command.signal('SIGTERM')
    await Promise.all(commands.map(({ ended }) => ended))
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Runs the command under the Node that runs us, without npm. */
  function runStack(env: Record<string, string> = {}): Command {
    const command = runCommand(process.execPath, ['dev/stack.ts'], { DATA_DIR: dataDir, ...env })
    commands.push(command)
    return command
  }

  async function stackEnv(): Promise<Record<string, string>> {
    return parseEnv(await readFile(join(dataDir, 'stack.env'), 'utf8')) as Record<string, string>
  }

  async function pidOf(command: Command, server: string): Promise<number> {
    return Number((await command.printed(new RegExp(`${server}\\s+127\\.0\\.0\\.1:\\d+ \\(pid (\\d+)`)))[1])
  }

  it('writes stack.env, for its owner only, with addresses that answer', async () => {
    const command = runStack()
    await command.printed(READY)
    const env = await stackEnv()
    const mode = (await stat(join(dataDir, 'stack.env'))).mode & 0o777
    expect(mode).to.equal(0o600)

    const client = await new MongoClient(env.MONGODB_URI!).connect()
    const session = client.startSession()
    await session.withTransaction(() => client.db('test').collection('things').insertOne({}, { session }))
    await session.endSession()
    await client.close()

    const s3 = new S3Client({
      endpoint: env.S3_ENDPOINT,
      region: env.S3_REGION,
      forcePathStyle: true,
      credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID!, secretAccessKey: env.AWS_SECRET_ACCESS_KEY! },
    })
    const { Buckets: buckets } = await s3.send(new ListBucketsCommand())
    expect(buckets?.map(({ Name: name }) => name)).to.deep.equal([env.S3_BUCKET])
    s3.destroy()

    const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS })
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' })
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).to.equal(30 * 86_400)
    await connection.close()
  })

  it('starts a server that was killed again, on its port', async () => {
    const command = runStack()
    await command.printed(READY)
    const { MONGODB_URI: uri } = await stackEnv()
    const client = await new MongoClient(uri!).connect()
    try {
      await client
        .db('test')
        .collection('things')
        .insertOne({ kept: true }, { writeConcern: { w: 'majority', journal: true } })
      for (const server of ['mongod', 'temporal', 's3']) {
        process.kill(await pidOf(command, server), 'SIGKILL')
        await command.printed(new RegExp(`${server} is back`))
      }
      expect(await client.db('test').collection('things').countDocuments()).to.equal(1)
    } finally {
      await client.close()
    }
  })

  it('leaves no orphan when it is killed, and the next one goes on with ports and data', async () => {
    const killed = runStack()
    await killed.printed(READY)
    const before = await stackEnv()
    const client = await new MongoClient(before.MONGODB_URI!).connect()
    await client
      .db('test')
      .collection('things')
      .insertOne({}, { writeConcern: { w: 'majority', journal: true } })
    const pids = await Promise.all(['mongod', 'temporal', 's3'].map((server) => pidOf(killed, server)))
    killed.signal('SIGKILL')
    const next = runStack()
    await next.printed(READY)
    await Promise.all(pids.map(gone))
    expect(await stackEnv()).to.deep.equal(before)
    expect(await client.db('test').collection('things').countDocuments()).to.equal(1)
    await client.close()
  })

  it('says who runs already on the same data', async () => {
    const first = runStack()
    await first.printed(READY)
    const second = runStack()
    expect(await second.ended).to.equal(1)
    expect(second.output()).to.include(`npm run stack (pid ${first.pid}) already runs on ${dataDir}`)
  })

  it('uses the servers whose addresses are given, and starts the others', async () => {
    const first = runStack()
    await first.printed(READY)
    const { MONGODB_URI, TEMPORAL_ADDRESS } = await stackEnv()
    const own = await mkdtemp(join(tmpdir(), 'troupe-stack-command-'))
    const second = runStack({ DATA_DIR: own, MONGODB_URI: MONGODB_URI!, TEMPORAL_ADDRESS: TEMPORAL_ADDRESS! })
    await second.printed(READY)
    expect(second.output())
      .to.match(/^s3 /m)
      .and.not.match(/^(mongod|temporal) /m)
    const env = parseEnv(await readFile(join(own, 'stack.env'), 'utf8'))
    expect(env).to.include({ MONGODB_URI, TEMPORAL_ADDRESS })
    second.signal('SIGTERM')
    await second.ended
    await rm(own, { recursive: true })
  })

  it('ends when the npm that runs it is killed', async () => {
    const npm = runCommand('npm', ['run', 'stack'], { DATA_DIR: dataDir })
    commands.push(npm)
    await npm.printed(READY)
    const pid = await pidOf(npm, 'mongod')
    npm.signal('SIGKILL')
    await gone(pid)
  })

  it('goes on with another port when its own was taken meanwhile', async () => {
    const first = runStack()
    await first.printed(READY)
    const { MONGODB_URI: before } = await stackEnv()
    first.signal('SIGTERM')
    await first.ended
    const port = Number(new URL(before!).port)
    const thief = runCommand(
      process.execPath,
      [
        '-e',
        `require("net").createServer((socket) => socket.destroy()).listen(${port}, '127.0.0.1', () => console.log('on'))`,
      ],
      {},
    )
    await thief.printed(/on/)
    const second = runStack()
    await second.printed(READY)
    const { MONGODB_URI: after } = await stackEnv()
    expect(after).to.not.equal(before)
    thief.signal('SIGKILL')
    await thief.ended
  })

  it('tells for every way why it is closed when a server cannot be had', async () => {
    const closed = { HTTPS_PROXY: 'http://127.0.0.1:1', GOPROXY: 'off', PIP_NO_INDEX: '1' }
    const command = runStack({ XDG_CACHE_HOME: join(dataDir, 'cache'), ...closed })
    expect(await command.ended).to.equal(1)
    expect(command.output()).to.match(/versitygw: downloading it from its vendor\.\n/)
    expect(command.output()).to.match(/versitygw: that way failed after .*refused the download/)
    expect(command.output()).to.match(/versitygw: that way failed after .*go ended with/)
    expect(command.output()).to.match(
      /(temporal|versitygw|mongod) could not be had: .*; .*Install it and put it on PATH/,
    )
  })
})
