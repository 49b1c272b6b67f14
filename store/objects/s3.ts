import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import pLimit from 'p-limit'
import type { Config } from '../../config.ts'
import { TroupeError, messageOf } from '../../core/errors.ts'
import type { BlobEntry, Blobs } from './blobs.ts'
import type { Pointer } from '../documents.ts'
import { destroyWhenSilent } from './silence.ts'

export interface S3Options {
  endpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string | undefined
  secretAccessKey: string | undefined
  sessionToken: string | undefined
  /** Tests shorten it. */
  idleTimeoutMs?: number
  /** Tests shorten it. */
  storedWithinMs?: number
}

/** The object store's part of the configuration. */
export function s3Options(config: Config): S3Options {
  return {
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKeyId: config.AWS_ACCESS_KEY_ID,
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
    sessionToken: config.AWS_SESSION_TOKEN,
  }
}

const CONNECTION_TIMEOUT_MS = 3_000
/** Between two pieces of a response; the time-out of the request ends with the headers. */
const IDLE_TIMEOUT_MS = 30_000
/** How long an object may take to begin, each of two times: a store that is silent has to be told of before a reader gives up. */
const OBJECT_BEGINS_WITHIN_MS = 5_000
const MAX_SOCKETS = 2_000
/** How long an object may take to be stored, each of two times, beside the time that its bytes take on a slow line. */
const STORED_WITHIN_MS = 15_000
const SLOW_LINE_BYTES_PER_MS = 1_000
/** Objects that are stored at a time: a thousand that share one line would each take too long. */
const STORED_AT_ONCE = 128
const PING_TIMEOUT_MS = 2_000
const LISTED_AT_ONCE = 500

/** The object store behind the S3 protocol. Without explicit credentials the SDK's own chain finds them. */
export function createS3Blobs(options: S3Options): Blobs {
  const { bucket, storedWithinMs = STORED_WITHIN_MS } = options
  const s3 = createClient(options)
  const inTurn = pLimit(STORED_AT_ONCE)
  const open = async ({ bucket: from, key }: Pointer): Promise<Readable> => {
    try {
      const command = new GetObjectCommand({ Bucket: from, Key: key })
      const answer = await s3.send(command, { requestTimeout: OBJECT_BEGINS_WITHIN_MS })
      return answer.Body as Readable
    } catch (error) {
      throw isMissing(error)
        ? new TroupeError('object_lost', `The object store has no ${key}: it was lost or deleted.`, { cause: error })
        : new TroupeError('storage_failed', `The object store could not give ${key}.`, { cause: error })
    }
  }
  return {
    open,
    async put(key, text) {
      const body = Buffer.from(text, 'utf8')
      const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: 'application/json' })
      const requestTimeout = storedWithinMs + body.length / SLOW_LINE_BYTES_PER_MS
      await inTurn(() => orFailed(`did not take ${key}`, () => s3.send(command, { requestTimeout })))
      return { bucket, key, size_bytes: body.length }
    },
    async get(pointer) {
      const stream = await open(pointer)
      return orFailed(`broke off ${pointer.key}`, async () => Buffer.concat(await stream.toArray()).toString('utf8'))
    },
    list: (prefix, after) => list(s3, bucket, prefix, after),
    remove: (keys) => remove(s3, bucket, keys),
    async ping() {
      const abortSignal = AbortSignal.timeout(PING_TIMEOUT_MS)
      return s3.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }).then(
        () => true,
        () => false,
      )
    },
    close: () => s3.destroy(),
  }
}

async function list(s3: S3Client, bucket: string, prefix: string, after: string): Promise<BlobEntry[]> {
  const page = { Bucket: bucket, Prefix: prefix, StartAfter: after, MaxKeys: LISTED_AT_ONCE }
  const { Contents = [] } = await orFailed(`could not list ${prefix}`, () => s3.send(new ListObjectsV2Command(page)))
  return Contents.map(({ Key = '', LastModified = new Date() }) => ({ key: Key, modifiedAt: LastModified }))
}

async function remove(s3: S3Client, bucket: string, keys: string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += LISTED_AT_ONCE) {
    const some = keys.slice(from, from + LISTED_AT_ONCE).map((Key) => ({ Key }))
    const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: some, Quiet: true } })
    await orFailed('did not delete', async () => {
      const { Errors: [failed] = [] } = await s3.send(command)
      if (failed !== undefined) throw new Error(`${failed.Key}: ${failed.Message ?? failed.Code}`)
    })
  }
}

/** Has the object store do something. @param what - what the error says of it. @throws TroupeError storage_failed */
async function orFailed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new TroupeError('storage_failed', `The object store ${what}: ${reasonOf(error)}`, { cause: error })
  }
}

/** The SDK's own sentence about a time-out names its settings, which tell a client nothing. */
function reasonOf(error: unknown): string {
  const timedOut = error instanceof Error && error.name === 'TimeoutError'
  return timedOut ? 'it did not answer in time.' : messageOf(error)
}

/** The store answers, and says that it has no such object. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey'
}

function createClient(options: S3Options): S3Client {
  const { accessKeyId, secretAccessKey, sessionToken, idleTimeoutMs = IDLE_TIMEOUT_MS } = options
  const s3 = new S3Client({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint, forcePathStyle: true }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey, sessionToken } }),
    // One more try at most: activities are retried by Temporal, and a reader is told at once.
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // A reader holds its socket as long as it reads; waiting for one of the default 50 would count as an absent store.
      httpAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
      httpsAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
    },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  // The SDK's own time-out of a socket would also end a response whose reader pauses.
  s3.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      destroyWhenSilent((result.response as { body: IncomingMessage }).body, idleTimeoutMs)
      return result
    },
    { name: 'destroyWhenSilent', step: 'deserialize', priority: 'low' },
  )
  return s3
}
