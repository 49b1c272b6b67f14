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
  /** Shortened by tests. */
  idleTimeoutMs?: number
  /** Shortened by tests. */
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
/** The longest pause between two pieces of a response; the request's own timeout ends with the headers. */
const IDLE_TIMEOUT_MS = 30_000
/**
 * The time in which a read must begin, for each of two tries. A silent store must be reported before the reader gives
 * up.
 */
const OBJECT_BEGINS_WITHIN_MS = 5_000
const MAX_SOCKETS = 2_000
/** The time for a write, for each of two tries, in addition to the transfer time on a slow line. */
const STORED_WITHIN_MS = 15_000
const SLOW_LINE_BYTES_PER_MS = 1_000
/** Maximum number of concurrent writes. A thousand writes on one line would each take too long. */
const STORED_AT_ONCE = 128
const PING_TIMEOUT_MS = 2_000
const LISTED_AT_ONCE = 500

/**
 * Creates the object store client for the S3 protocol. Without explicit credentials, the SDK's own chain finds them.
 */
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

/**
 * Runs an operation of the object store.
 * @param what - the subject of the error sentence.
 * @throws TroupeError storage_failed
 */
async function orFailed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new TroupeError('storage_failed', `The object store ${what}: ${reasonOf(error)}`, { cause: error })
  }
}

/** The SDK's own sentence about a timeout names settings that mean nothing to a client. */
function reasonOf(error: unknown): string {
  const timedOut = error instanceof Error && error.name === 'TimeoutError'
  return timedOut ? 'it did not answer in time.' : messageOf(error)
}

/** The store responded that the object does not exist. */
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
    // At most one retry, because Temporal retries activities and a reader must learn of the error soon.
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // A reader holds its socket while it reads. Waiting for one of the default 50 sockets would count as an outage.
      httpAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
      httpsAgent: { maxSockets: MAX_SOCKETS, keepAlive: true },
    },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  // The SDK's own socket timeout would also end a response whose reader pauses.
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
