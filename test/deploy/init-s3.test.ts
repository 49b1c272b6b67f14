import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinary } from '../../dev/binaries/find-binary.ts'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { saySilently } from '../../dev/say.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

describe("The object store's account of the service", () => {
  let folder: string
  let gateway: ManagedProcess
  let endpoint: string
  const clients: S3Client[] = []

  const clientOf = (accessKeyId: string, secretAccessKey: string): S3Client => {
    const credentials = { accessKeyId, secretAccessKey }
    const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials, maxAttempts: 1 })
    clients.push(client)
    return client
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-s3-'))
    const port = await freePort()
    endpoint = `http://127.0.0.1:${port}`
    for (const name of ['objects', 'metadata', 'accounts']) await mkdir(join(folder, name))
    const names = ['--iam-dir', join(folder, 'accounts'), 'posix', '--sidecar', join(folder, 'metadata')]
    gateway = new ManagedProcess({
      name: 's3',
      command: await findBinary('s3', { environment: process.env, say: saySilently }),
      arguments: ['--port', `127.0.0.1:${port}`, '--quiet', '--health', '/health', ...names, join(folder, 'objects')],
      environment: { ...plainEnvironment(), ROOT_ACCESS_KEY: 'root', ROOT_SECRET_KEY: 'root-secret' },
      logFile: join(folder, 's3.log'),
      answers: async () => void (await fetch(`${endpoint}/health`)),
      startTimeoutMs: 30_000,
      stopTimeoutMs: 5_000,
    })
    await gateway.start()
  })

  after(async () => {
    for (const client of clients) client.destroy()
    await gateway.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const initialise = async (secret: string): Promise<string> => {
    const env = {
      ...plainEnvironment(),
      DATA_DIR: folder,
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'troupe',
      S3_ROOT_ACCESS_KEY: 'root',
      S3_ROOT_SECRET_KEY: 'root-secret',
      AWS_ACCESS_KEY_ID: 'troupe',
      AWS_SECRET_ACCESS_KEY: secret,
    }
    const { stdout } = await run(process.execPath, [join(ROOT, 'deploy/init-s3.ts')], { env, cwd: ROOT })
    return stdout
  }

  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => expect.fail('it should have been refused'),
      (error: Error) => error.name,
    )

  it('reads, writes, lists and deletes objects of the bucket, and can do nothing else', async () => {
    expect(await initialise('first'))
      .to.contain('Bucket troupe created.')
      .and.contain('Account troupe created.')
    const service = clientOf('troupe', 'first')
    const Bucket = 'troupe'
    await service.send(new HeadBucketCommand({ Bucket }))
    await service.send(new PutObjectCommand({ Bucket, Key: 'steps/a/0.json', Body: '{}' }))
    const { Contents } = await service.send(new ListObjectsV2Command({ Bucket, Prefix: 'steps/' }))
    expect(Contents?.map(({ Key }) => Key)).to.deep.equal(['steps/a/0.json'])
    const { Body } = await service.send(new GetObjectCommand({ Bucket, Key: 'steps/a/0.json' }))
    expect(await Body?.transformToString()).to.equal('{}')
    await service.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'steps/a/0.json' }] } }))

    const root = clientOf('root', 'root-secret')
    await root.send(new CreateBucketCommand({ Bucket: 'others' }))
    await root.send(new PutObjectCommand({ Bucket: 'others', Key: 'a', Body: 'secret' }))
    const Policy = JSON.stringify({ Statement: [] })
    for (const [what, work] of Object.entries({
      bucket: () => service.send(new CreateBucketCommand({ Bucket: 'mine' })),
      other: () => service.send(new GetObjectCommand({ Bucket: 'others', Key: 'a' })),
      list: () => service.send(new ListObjectsV2Command({ Bucket: 'others' })),
      policy: () => service.send(new PutBucketPolicyCommand({ Bucket, Policy })),
      removal: () => service.send(new DeleteBucketCommand({ Bucket })),
    })) {
      expect(await refusal(work()), what).to.equal('AccessDenied')
    }
  })

  it('gets a new secret by another run, and loses the old one', async () => {
    expect(await initialise('second'))
      .to.contain('is there')
      .and.contain('has the secret of the environment')
    await clientOf('troupe', 'second').send(new HeadBucketCommand({ Bucket: 'troupe' }))
    expect(await refusal(clientOf('troupe', 'first').send(new ListObjectsV2Command({ Bucket: 'troupe' })))).to.equal(
      'SignatureDoesNotMatch',
    )
  })
})
