import { DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'

/** The object store of a service, past the service. */
export interface Objects {
  /** Names of the objects that begin with `prefix`, at most 1,000. */
  list: (prefix: string) => Promise<string[]>
  remove: (key: string) => Promise<void>
  close: () => void
}

/** @param env - of the processes of the service. */
export function openObjects(env: Record<string, string>): Objects {
  const { S3_BUCKET: Bucket, S3_ENDPOINT, S3_REGION, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = env
  const s3 = new S3Client({
    region: S3_REGION ?? 'us-east-1',
    ...(S3_ENDPOINT === undefined ? {} : { endpoint: S3_ENDPOINT, forcePathStyle: true }),
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  })
  return {
    list: async (prefix) => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }))
      return Contents.flatMap(({ Key }) => Key ?? [])
    },
    remove: async (Key) => void (await s3.send(new DeleteObjectCommand({ Bucket, Key }))),
    close: () => s3.destroy(),
  }
}
