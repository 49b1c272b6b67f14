import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { loadConfig } from '../config.ts'

// Creates the bucket of S3_BUCKET where it is missing.

const config = loadConfig()
const s3 = new S3Client({
  region: config.S3_REGION,
  ...(config.S3_ENDPOINT === undefined ? {} : { endpoint: config.S3_ENDPOINT, forcePathStyle: true }),
})
try {
  await s3.send(new CreateBucketCommand({ Bucket: config.S3_BUCKET }))
  process.stdout.write(`Bucket ${config.S3_BUCKET} created.\n`)
} catch (error) {
  const { name } = error as Error
  if (name !== 'BucketAlreadyOwnedByYou' && name !== 'BucketAlreadyExists') throw error
  process.stdout.write(`Bucket ${config.S3_BUCKET} is there.\n`)
} finally {
  s3.destroy()
}
