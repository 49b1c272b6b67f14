import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createContainers, type Containers } from '../../api/containers/containers.ts'
import { createLog } from '../../log.ts'
import { startEngine, type TestEngine } from '../support/docker.ts'

/** What the proxy of deploy/container-logs.yml passes on. */
async function passedOn(): Promise<RegExp> {
  const text = await readFile(new URL('../../deploy/proxy/engine-reader.Caddyfile', import.meta.url), 'utf8')
  return new RegExp(/path_regexp (\S+)/.exec(text)?.[1] ?? 'nothing')
}

describe('a Docker engine of which only lists and logs can be read', () => {
  let engine: TestEngine
  let proxy: Server
  let containers: Containers
  const refused: string[] = []

  before(async function () {
    engine = await startEngine(this)
    const allowed = await passedOn()
    proxy = createServer((incoming, outgoing) => {
      const path = incoming.url ?? ''
      if (!allowed.test(path.split('?')[0] ?? '')) {
        refused.push(path)
        outgoing.writeHead(403).end()
        return
      }
      const passed = request({ socketPath: engine.socketPath, path, method: 'GET' }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      outgoing.once('close', () => passed.destroy())
      passed.on('error', () => outgoing.destroy()).end()
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    containers = createContainers({ dockerHost: `tcp://127.0.0.1:${port}`, log: createLog('test', 'silent') })
    await engine.runToEnd({ name: 'plain', script: 'echo one; echo two >&2' })
    await engine.runToEnd({ name: 'terminal', script: 'echo one; echo two', tty: true })
  })

  after(async () => {
    proxy?.close()
    await engine?.stop()
  })

  it('has logs of containers with a TTY and without one, read and followed', async () => {
    const everything = { tail: undefined, since: undefined }
    for (const name of ['plain', 'terminal']) {
      const container = await containers.find(name)
      const read = await containers.logs(container, everything)
      const followed = await (await containers.follow(container, { ...everything, tail: 100 })).toArray()
      for (const entries of [read, followed])
        expect(entries.map(({ message }) => message)).to.have.members(['one', 'two'])
    }
    expect(refused).to.deep.equal([])
  })

  it('keeps to itself what it knows of containers, with their environment', async () => {
    const allowed = await passedOn()
    const hidden = [
      '/containers/plain/json',
      '/v1.44/containers/plain/json',
      '/containers/plain/archive',
      '/images/json',
    ]
    for (const path of hidden) expect(allowed.test(path), path).to.equal(false)
  })
})
