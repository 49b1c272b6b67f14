import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { ProcessSpec } from '../managed-process.ts'
import { plainEnvironment, type ServerOptions } from './server-options.ts'

export interface S3Options extends ServerOptions {
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** The S3 server: versitygw on a folder. */
export function s3Spec(options: S3Options): ProcessSpec {
  const { binary, port, dataDir, logDir, region, accessKeyId, secretAccessKey } = options
  const objects = join(dataDir, 's3', 'objects')
  const metadata = join(dataDir, 's3', 'metadata')
  for (const path of [objects, metadata]) mkdirSync(path, { recursive: true })
  return {
    name: 's3',
    command: binary,
    arguments: [
      ...['--port', `127.0.0.1:${port}`, '--region', region, '--quiet', '--keep-alive'],
      // Stores metadata in files, because not every file system supports extended attributes.
      ...['posix', '--sidecar', metadata, objects],
    ],
    environment: { ...plainEnvironment(), ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    logFile: join(logDir, 's3.log'),
    answers: () => bucketExists(options),
    startTimeoutMs: 30_000,
    stopTimeoutMs: 5_000,
  }
}

async function bucketExists({ port, bucket, region, accessKeyId, secretAccessKey }: S3Options): Promise<void> {
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 1,
  })
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
  } catch (error) {
    const { name } = error as Error
    if (name !== 'BucketAlreadyOwnedByYou' && name !== 'BucketAlreadyExists') throw error
  } finally {
    client.destroy()
  }
}
