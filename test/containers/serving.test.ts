import { once } from 'node:events'
import { expect } from 'chai'
import { WebSocket } from 'ws'
import { createContainers } from '../../api/containers/containers.ts'
import { containerList, containerLogs } from '../../contracts/containers.ts'
import { errorMessage, logMessage } from '../../contracts/streams.ts'
import { createLog } from '../../log.ts'
import { startEngine, type TestEngine } from '../support/docker.ts'
import { startLogServer, type LogServer } from './log-server.ts'
import { until } from './until.ts'

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/

describe('container logs over HTTP and WebSocket', () => {
  let engine: TestEngine
  let server: LogServer

  const get = async (path: string) => {
    const response = await fetch(`${server.url}/api/logs/containers${path}`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const logs = async (query: string) => {
    const { status, body } = await get(`/numbers${query}`)
    expect(status).to.equal(200)
    const { logs, total } = containerLogs.parse(body)
    expect(total).to.equal(logs.length)
    return logs
  }
  const open = (path: string) => new WebSocket(`${server.wsUrl}/ws/logs/${path}`, { perMessageDeflate: false })
  /** All messages until the server closes, and the code with which it did. */
  const readAll = async (path: string) => {
    const socket = open(path)
    const messages: unknown[] = []
    socket.on('message', (data) => messages.push(JSON.parse(String(data))))
    const [code] = (await once(socket, 'close')) as [number]
    return { messages, code }
  }
  const released = () => until(async () => server.streams() === 0 && (await engine.connections()) === 0)

  before(async function () {
    engine = await startEngine(this)
    server = await startLogServer(createContainers({ dockerHost: engine.address, log: createLog('test', 'silent') }))
    await engine.runToEnd({ name: 'numbers', script: 'seq 1 250' })
    await engine.run({ name: 'flood', script: 'i=0; while :; do echo line $i; i=$((i+1)); done' })
  })

  after(async () => {
    await server?.close()
    await engine?.stop()
  })

  describe('GET /api/logs/containers', () => {
    it('lists all containers and their number', async () => {
      const { status, body } = await get('')
      expect(status).to.equal(200)
      const { containers, total } = containerList.parse(body)
      expect(containers.map(({ name }) => name)).to.have.members(['numbers', 'flood'])
      expect(total).to.equal(2)
    })
  })

  describe('GET /api/logs/containers/{container_name}', () => {
    it('gives the last 100 lines with their stamps', async () => {
      const { body } = await get('/numbers')
      const { container, container_id: id, status, logs } = containerLogs.parse(body)
      expect({ container, status }).to.deep.equal({ container: 'numbers', status: 'exited' })
      expect(logs.map(({ message }) => message)).to.deep.equal(Array.from({ length: 100 }, (_, i) => String(151 + i)))
      for (const { timestamp } of logs) expect(timestamp).to.match(stamp)
      expect((await get(`/${id.slice(0, 12)}`)).body).to.deep.equal(body)
    })

    it('takes tail, since and timestamps', async () => {
      expect(await logs('?tail=0')).to.deep.equal([])
      expect(await logs('?tail=250')).to.have.length(250)
      expect(await logs('?tail=1000')).to.have.length(250)
      expect(await logs('?timestamps=false&tail=1')).to.deep.equal([{ timestamp: '', message: '250' }])
      expect(await logs('?since=1h&tail=200')).to.have.length(200)
      expect(await logs('?since=0s')).to.deep.equal([])
      const [at] = await logs('?tail=10')
      expect((await logs(`?since=${at?.timestamp}`)).map(({ message }) => message)).to.deep.equal(
        Array.from({ length: 9 }, (_, index) => String(242 + index)),
      )
    })

    for (const [query, field] of [
      ['tail=-1', 'tail'],
      ['tail=ten', 'tail'],
      ['tail=1.5', 'tail'],
      ['since=yesterday', 'since'],
      ['since=5', 'since'],
      ['since=', 'since'],
      ['timestamps=maybe', 'timestamps'],
    ]) {
      it(`refuses ${query}, naming the field, also for an unknown container`, async () => {
        for (const name of ['numbers', 'nobody']) {
          const { status, body } = await get(`/${name}?${query}`)
          expect(status).to.equal(400)
          expect(body.detail).to.match(new RegExp(`^${field} `))
        }
      })
    }

    it('does not know a container that does not exist', async () => {
      for (const name of ['nobody', '%2e%2e', '..%2finfo', '%00', 'a%20b']) {
        const { status, body } = await get(`/${name}`)
        expect(status, name).to.equal(404)
        expect(body.detail).to.be.a('string')
      }
    })
  })

  describe('/ws/logs/{container_name}', () => {
    it('sends the last lines and closes when the container has ended', async () => {
      const { messages, code } = await readAll('numbers')
      expect(code).to.equal(1000)
      const entries = messages.map((message) => logMessage.parse(message).data)
      expect(entries.map(({ message }) => message)).to.deep.equal(
        Array.from({ length: 100 }, (_, i) => String(151 + i)),
      )
      for (const { timestamp } of entries) expect(timestamp).to.match(stamp)
      expect((await readAll('numbers?tail=2')).messages).to.have.length(2)
      expect((await readAll('numbers?tail=0')).messages).to.deep.equal([])
      expect((await readAll('numbers?since=1h')).messages).to.have.length(250)
      expect((await readAll('numbers?since=1h&tail=5')).messages).to.have.length(5)
      await until(() => server.streams() === 0)
    })

    it('tells what cannot be followed, then closes with 1000', async () => {
      for (const path of ['nobody', 'numbers?tail=-1', 'numbers?since=yesterday', 'numbers?since=', '..%2finfo']) {
        const { messages, code } = await readAll(path)
        expect(code).to.equal(1000)
        expect(messages).to.have.length(1)
        errorMessage.parse(messages[0])
      }
    })

    it('releases the engine when the client leaves, at once or in the middle of a flood', async () => {
      for (const linesUntilLeaving of [0, 1, 20_000]) {
        const socket = open('flood')
        await once(socket, 'open')
        let count = 0
        socket.on('message', () => (count += 1))
        await until(() => count >= linesUntilLeaving)
        socket.terminate()
        await released()
      }
    })

    it('does not let a flood wait in memory for a reader that stands still, and goes on without a hole', async () => {
      const socket = open('flood?tail=1')
      const numbers: number[] = []
      socket.on('message', (data) => numbers.push(Number(JSON.parse(String(data)).data.message.slice('line '.length))))
      await until(() => numbers.length > 0)
      socket.pause()
      const stoodStillAt = await newestNumber()
      await until(async () => (await newestNumber()) > stoodStillAt + 300_000)
      expect(server.behindBytes()).to.be.below(8_388_608)
      socket.resume()
      const length = numbers.length
      await until(() => numbers.length > length + 50_000)
      socket.terminate()
      expect(numbers).to.deep.equal(Array.from(numbers, (_, index) => (numbers[0] ?? 0) + index))
      await released()
    })

    it('lets go of everything when the service shuts down', async () => {
      const other = await startLogServer(
        createContainers({ dockerHost: engine.address, log: createLog('test', 'silent') }),
      )
      const socket = new WebSocket(`${other.wsUrl}/ws/logs/flood`)
      await once(socket, 'message')
      other.shutDown()
      await until(async () => other.streams() === 0 && (await engine.connections()) === 0)
      await other.close()
    })
  })

  async function newestNumber(): Promise<number> {
    const { body } = await get('/flood?tail=1')
    return Number(containerLogs.parse(body).logs[0]?.message.slice('line '.length))
  }

  describe('without an engine', () => {
    it('answers 503 and tells streams so; a followed stream learns it, too', async () => {
      const socket = open('flood?tail=1')
      const last = { message: '' }
      socket.on('message', (data) => (last.message = String(data)))
      const closed = once(socket, 'close')
      await once(socket, 'message')
      await engine.kill9()
      expect((await closed)[0]).to.equal(1000)
      errorMessage.parse(JSON.parse(last.message))
      for (const path of ['', '/numbers', '/nobody', '/_x', '/caf%C3%A9']) {
        const { status, body } = await get(path)
        expect(status).to.equal(503)
        expect(body.detail).to.match(/^The container engine/)
      }
      const { messages, code } = await readAll('numbers')
      expect(code).to.equal(1000)
      errorMessage.parse(messages[0])
      await engine.restart()
      expect((await get('/numbers')).status).to.equal(200)
    })
  })
})
