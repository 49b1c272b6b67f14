import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createContainers, type Containers } from '../../api/containers/containers.ts'
import { createLog } from '../../log.ts'
import { startEngine, type TestEngine } from '../support/docker.ts'
import { until } from './until.ts'

const log = createLog('test', 'silent')
const everything = { tail: undefined, since: undefined }

async function expectUnavailable(work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.then(
    () => 'It worked.',
    (thrown: unknown) => thrown,
  )
  expect(error).to.have.property('code', 'engine_unavailable')
  expect(error)
    .to.have.property('message')
    .that.matches(/^The container engine .*\.$/)
}

describe('addresses of a container engine', () => {
  for (const dockerHost of ['ssh://somewhere', 'localhost:2375', 'unix://', 'tcp://', '/var/run/docker.sock']) {
    it(`refuses ${dockerHost}`, () => {
      expect(() => createContainers({ dockerHost, log }))
        .to.throw(/^DOCKER_HOST must be/)
        .with.property('code', 'bad_config')
    })
  }

  it('connects to nothing before it is asked', () => {
    for (const dockerHost of [undefined, 'unix:///nowhere', 'tcp://127.0.0.1:1', 'tcp://[::1]', 'https://127.0.0.1']) {
      createContainers({ dockerHost, log })
    }
  })
})

describe('An unavailable container engine', () => {
  it('is reported when the socket is missing or nothing listens', async () => {
    for (const dockerHost of [`unix://${join(tmpdir(), randomUUID())}`, 'tcp://127.0.0.1:1']) {
      await expectUnavailable(createContainers({ dockerHost, log }).list())
    }
  })

  it('is reported when the server sends nothing, half a response, or invalid data', async () => {
    const answers = ['', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{', 'SSH-2.0-OpenSSH\r\n']
    for (const answer of answers) {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
        socket.resume()
        socket.write(answer)
      })
      const path = join(tmpdir(), `${randomUUID()}.sock`)
      await once(server.listen(path), 'listening')
      await expectUnavailable(createContainers({ dockerHost: `unix://${path}`, log }).list())
      // The request is not left open for an answer that nobody waits for.
      await until(() => sockets.size === 0)
      server.close()
      await rm(path, { force: true })
    }
  })
})

describe('A container engine that fails', () => {
  let engine: TestEngine
  let containers: Containers

  before(async function () {
    engine = await startEngine(this)
    containers = createContainers({ dockerHost: engine.address, log })
    await engine.run({ name: 'steady', script: 'while :; do echo beat; sleep 0.05; done' })
  })

  after(() => engine?.stop())

  it('is reported while it hangs, and used again when it continues', async () => {
    const steady = await containers.find('steady')
    engine.hang()
    try {
      await expectUnavailable(containers.list())
      await expectUnavailable(containers.find('steady'))
      await expectUnavailable(containers.logs(steady, everything))
      await expectUnavailable(containers.follow(steady, everything))
    } finally {
      engine.resume()
    }
    expect(await containers.list()).to.have.length(1)
    expect(await containers.logs(steady, { tail: 1, since: undefined })).to.have.length(1)
    await until(async () => (await engine.connections()) === 0)
  })

  it('ends reads and followed logs with an error when it is killed, and is used again when it is back', async () => {
    const steady = await containers.find('steady')
    const lines = await containers.follow(steady, everything)
    lines.resume()
    await once(lines, 'data')
    const failed = once(lines, 'error') as Promise<unknown[]>
    await engine.kill9()
    const [error] = await failed.catch((thrown: unknown) => [thrown])
    expect(error).to.have.property('code', 'engine_unavailable')
    await expectUnavailable(containers.list())
    await expectUnavailable(containers.find('steady'))
    await expectUnavailable(containers.logs(steady, everything))
    await expectUnavailable(containers.follow(steady, everything))
    await engine.restart()
    expect(await containers.list()).to.have.length(1)
    expect(await containers.logs(steady, { tail: 1, since: undefined })).to.have.length(1)
  })

  it('ends a read in progress with an error', async () => {
    await engine.runToEnd({ name: 'large', script: 'yes abcdefghijklmnopqrstuvwxyz | head -n 1000000' })
    const failed = expectUnavailable(containers.logs(await containers.find('large'), everything))
    await until(async () => (await engine.connections()) > 0)
    await engine.kill9()
    await failed
    await engine.restart()
  })
})
