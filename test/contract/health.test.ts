import { expect } from 'chai'
import packageJson from '../../package.json' with { type: 'json' }
import { eventually, type TestService } from '../support/service.ts'
import { startStack, type PrivateStack } from '../support/stack.ts'
import { startScene } from './scene.ts'

describe('Health', function () {
  this.timeout(120_000)
  let stack: PrivateStack
  let service: TestService

  before(async () => {
    stack = await startStack()
    service = await startScene({ stack: stack.env })
  })
  after(async () => {
    await service.stop()
    await stack.stop()
  })

  const ok = {
    status: 'ok',
    version: packageJson.version,
    components: {
      database: 'MongoDB',
      storage: 'S3',
      message_bus: 'Temporal',
      tracing: { enabled: true, backend: 'database' },
    },
  }

  it('returns the version and components', async () => {
    const { status, body } = await service.request('GET', '/api/health')
    expect(status).to.equal(200)
    expect(body).to.deep.equal(ok)
  })

  const servers = [
    ['s3', 'storage'],
    ['temporal', 'message_bus'],
    ['mongod', 'database'],
  ] as const
  for (const [name, component] of servers) {
    it(`is degraded while ${name} is away, and ok again afterwards`, async () => {
      await stack.servers[name].kill()
      const { status, body } = await service.request('GET', '/api/health')
      expect(status).to.equal(200)
      expect(body).to.deep.equal({ ...ok, status: 'degraded', unreachable: [component] })
      await stack.servers[name].restart()
      await eventually(
        () => service.request('GET', '/api/health'),
        (answer) => answer.body.status === 'ok',
      )
    })
  }
})
