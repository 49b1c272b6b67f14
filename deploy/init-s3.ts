import { CreateBucketCommand, PutBucketPolicyCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { loadConfig } from '../config.ts'

// Creates the bucket S3_BUCKET if it is missing, and the account of the service, which can only read, write, list and delete
// the objects of this bucket. The secret of an existing account is set to that of the environment.
//
// S3_ROOT_ACCESS_KEY and S3_ROOT_SECRET_KEY belong to the administrator of versitygw. Without them the service's own account
// creates the bucket, for stores without accounts.

const { S3_ENDPOINT, S3_REGION, S3_BUCKET, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = loadConfig()
const { S3_ROOT_ACCESS_KEY, S3_ROOT_SECRET_KEY } = process.env
const isRoot = S3_ROOT_ACCESS_KEY !== undefined && S3_ROOT_SECRET_KEY !== undefined

const s3 = new S3Client({
  region: S3_REGION,
  ...(S3_ENDPOINT === undefined ? {} : { endpoint: S3_ENDPOINT, forcePathStyle: true }),
  ...(isRoot && { credentials: { accessKeyId: S3_ROOT_ACCESS_KEY, secretAccessKey: S3_ROOT_SECRET_KEY } }),
  requestChecksumCalculation: 'WHEN_REQUIRED',
})
try {
  await createBucket()
  if (isRoot) await createAccount()
} finally {
  s3.destroy()
}

async function createBucket(): Promise<void> {
  const known = await unless(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'], () =>
    s3.send(new CreateBucketCommand({ Bucket: S3_BUCKET })),
  )
  process.stdout.write(`Bucket ${S3_BUCKET} ${known ? 'is there' : 'created'}.\n`)
}

async function createAccount(): Promise<void> {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set: they become the account of the service.')
  }
  const secret = `<Secret>${escaped(AWS_SECRET_ACCESS_KEY)}</Secret>`
  const account = `<Account><Access>${escaped(AWS_ACCESS_KEY_ID)}</Access>${secret}<Role>user</Role></Account>`
  const known = await unless(['XAdminUserExists'], () => administer('/create-user', {}, account))
  if (known) {
    const changes = `<MutableProps>${secret}<Role>user</Role></MutableProps>`
    await administer('/update-user', { access: AWS_ACCESS_KEY_ID }, changes)
  }
  await s3.send(new PutBucketPolicyCommand({ Bucket: S3_BUCKET, Policy: JSON.stringify(policyFor(AWS_ACCESS_KEY_ID)) }))
  process.stdout.write(`Account ${AWS_ACCESS_KEY_ID} ${known ? 'has the secret of the environment' : 'created'}.\n`)
}

function policyFor(account: string): object {
  const statement = { Effect: 'Allow', Principal: { AWS: [account] } }
  const bucket = `arn:aws:s3:::${S3_BUCKET}`
  return {
    Version: '2012-10-17',
    Statement: [
      { ...statement, Action: ['s3:ListBucket'], Resource: [bucket] },
      { ...statement, Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], Resource: [`${bucket}/*`] },
    ],
  }
}

/** Sends an admin request of versitygw. It is signed like an S3 request, so an SDK command is sent to another path. */
async function administer(path: string, query: Record<string, string>, body: string): Promise<void> {
  const command = new PutObjectCommand({ Bucket: S3_BUCKET, Key: 'admin', Body: body })
  command.middlewareStack.add(
    (next) => (args) => {
      Object.assign(args.request as object, { method: 'PATCH', path, query })
      return next(args)
    },
    { step: 'build', priority: 'low' },
  )
  await s3.send(command)
}

/** Runs `work`. @returns true if it failed with one of the error names, because its effect already exists. */
async function unless(names: string[], work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return false
  } catch (error) {
    if (!names.includes((error as Error).name)) throw error
    return true
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
