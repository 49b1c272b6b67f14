import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'
import { workerSpec } from '../../dev/service-processes.ts'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from '../support/processes.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { eventually, request, TEST_AGENTS, type Answer } from '../support/service.ts'
import { isolated, startStack, type PrivateStack } from '../support/stack.ts'

const LIMITED = { prompt_name: 'provider', inputs: { query: 'limited' } }

describe('The admin port', function () {
  this.timeout(120_000)
  let stack: PrivateStack
  let api: ApiProcess
  let worker: ServiceProcess
  let admins: string[]
  let provider: ProviderServer

  before(async () => {
    provider = await startProviderServer(() => ({ status: 429, headers: { 'retry-after': '60' } }))
    stack = await startStack()
    const ports = [await freePort(), await freePort()] as const
    admins = ports.map((port) => `http://127.0.0.1:${port}`)
    const reached = { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' }
    const env = { ...isolated(stack.env), ...reached, SERVICE_API_KEY: 'a-key' }
    const processes = await Promise.all([
      startApi({ env: { ...env, ADMIN_PORT: String(ports[0]) } }),
      startWorker({ agentsDir: TEST_AGENTS, env: { ...env, ADMIN_PORT: String(ports[1]) } }),
    ])
    ;[api, worker] = processes
  })

  after(async () => {
    await Promise.all([api?.stop(), worker?.stop()])
    await stack?.stop()
    await provider.close()
  })

  const ask = (path: string, method = 'GET'): Promise<Answer[]> =>
    Promise.all(admins.map((url) => request(url, method, path)))
  const readiness = (status: number, sentence: string) =>
    eventually(
      () => ask('/readyz'),
      (answers) => answers.every((answer) => answer.status === status && String(answer.body).includes(sentence)),
      60_000,
    )

  it('says of both processes that they live and are ready, without a key', async () => {
    await readiness(200, 'ok')
    for (const { status, body } of await ask('/livez')) expect([status, body]).to.deep.equal([200, 'ok\n'])
  })

  it('serves metrics that name their process, and nothing else', async () => {
    for (const { status, headers, body } of await ask('/metrics')) {
      expect(status).to.equal(200)
      expect(headers.get('content-type')).to.contain('text/plain; version=0.0.4')
      expect(body).to.contain('process_resident_memory_bytes')
    }
    for (const { status } of await ask('/api/health')) expect(status).to.equal(404)
    for (const { status, headers } of await ask('/metrics', 'POST')) {
      expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
    }
    expect((await request(api.url, 'GET', '/metrics')).status).to.equal(404)
  })

  it('says of a worker for which providers its calls wait; it is ready all the same', async () => {
    const { status, body } = await request(api.url, 'POST', '/api/prompts', LIMITED, { Authorization: 'Bearer a-key' })
    expect(status, JSON.stringify(body)).to.equal(200)
    const answer = await eventually(
      () => request(admins[1] ?? '', 'GET', '/readyz'),
      ({ body }) => String(body).includes('cools down'),
      60_000,
    )
    expect(answer.status).to.equal(200)
    expect(answer.body).to.match(/^ok\nopenai-compatible.* cools down for \d+ s more; \d+ calls wait here\.\n$/)
  })

  it('is not ready while MongoDB is away, and lives all the same', async () => {
    await stack.servers.mongod.kill()
    await readiness(503, 'MongoDB cannot be reached.')
    for (const { status } of await ask('/livez')) expect(status).to.equal(200)
    for (const { status } of await ask('/metrics')) expect(status).to.equal(200)
    await stack.servers.mongod.restart()
    await readiness(200, 'ok')
  })

  it('is not ready while Temporal is away', async () => {
    await stack.servers.temporal.kill()
    await readiness(503, 'Temporal cannot be reached.')
    for (const { status } of await ask('/metrics')) expect(status).to.equal(200)
    await stack.servers.temporal.restart()
    await readiness(200, 'ok')
  })

  it('tells of a port that it cannot have', async () => {
    const taken = admins[0]?.split(':').at(-1) ?? ''
    const env = { ...isolated(stack.env), ADMIN_PORT: taken }
    const failure = await startApi({ env }).then(
      () => '',
      (error: unknown) => String(error),
    )
    expect(failure).to.contain('ADMIN_PORT cannot be used')
  })
})

describe('The admin port of a worker that waits for its servers', function () {
  this.timeout(60_000)

  it('is open, and says for whom it waits', async () => {
    const [port, mongodb, temporal] = [await freePort(), await freePort(), await freePort()]
    const env = {
      ADMIN_PORT: String(port),
      MONGODB_URI: `mongodb://127.0.0.1:${mongodb}/?directConnection=true`,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal}`,
      S3_ENDPOINT: 'http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      MONGODB_DATABASE: 'nowhere',
    }
    const folder = await mkdtemp(join(tmpdir(), 'troupe-waiting-'))
    const environment = { ...plainEnvironment(), ...env, DATA_DIR: folder }
    const spec = workerSpec({ environment, logFile: join(folder, 'worker.log') })
    // It is never ready in the sense of its spec.
    const answers = async () => void (await fetch(`http://127.0.0.1:${port}/livez`))
    const worker = new ManagedProcess({ ...spec, answers })
    try {
      await worker.start()
      const answer = await request(`http://127.0.0.1:${port}`, 'GET', '/readyz')
      expect(answer.status).to.equal(503)
      expect(answer.body).to.equal(
        'MongoDB cannot be reached. Temporal cannot be reached. The worker does not poll for tasks.\n',
      )
    } finally {
      await worker.kill()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
