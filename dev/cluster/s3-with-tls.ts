import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { ProcessSpec } from '../managed-process.ts'
import { s3Spec, type S3Options } from '../servers/s3.ts'
import type { Certificates } from './certificates.ts'

/** The embedded S3 server, which speaks TLS only. */
export function s3WithTls(options: S3Options, { server, authority }: Certificates): ProcessSpec {
  const plain = s3Spec(options)
  const { port, region, accessKeyId, secretAccessKey, bucket } = options
  return {
    ...plain,
    arguments: ['--cert', server.certificate, '--key', server.key, ...plain.arguments],
    answers: async () => {
      const client = new S3Client({
        ...{ endpoint: `https://127.0.0.1:${port}`, region, forcePathStyle: true, maxAttempts: 1 },
        credentials: { accessKeyId, secretAccessKey },
        requestHandler: { httpsAgent: new Agent({ ca: readFileSync(authority) }) },
      })
      try {
        await client.send(new CreateBucketCommand({ Bucket: bucket }))
      } catch (error) {
        if ((error as Error).name !== 'BucketAlreadyOwnedByYou') throw error
      } finally {
        client.destroy()
      }
    },
  }
}
