import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { startApp, type AppScene } from './app-scene.ts'

const LARGE_BYTES = 8_000_000

/** What the process holds once nothing more can be collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('large bodies', () => {
  let scene: AppScene

  before(async () => {
    scene = await startApp({ MAX_BODY_BYTES: String(LARGE_BYTES) })
  })
  after(() => scene.close())

  const port = () => Number(new URL(scene.url).port)
  const submit = (bytes: number): Promise<Response> => {
    const body = JSON.stringify({ prompt_name: 'tester', inputs: { text: 'x'.repeat(bytes) } })
    return fetch(`${scene.url}/api/prompts`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  }
  /** Announces a large body and sends nothing of it. */
  const announce = async (): Promise<Socket> => {
    const socket = connect(port(), '127.0.0.1')
    await once(socket, 'connect')
    const head = `POST /api/prompts HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${LARGE_BYTES}\r\n\r\n`
    socket.write(head)
    return socket
  }

  it('wait for each other while small ones are accepted at once', async function () {
    this.timeout(60_000)
    const others = await Promise.all(Array.from({ length: 4 }, announce))
    await sleep(500)
    let isAnswered = false
    const large = submit(LARGE_BYTES / 2).finally(() => (isAnswered = true))
    expect((await submit(1_000)).status).to.equal(200)
    await sleep(500)
    expect(isAnswered).to.equal(false)
    for (const socket of others) socket.destroy()
    expect((await large).status).to.equal(200)
  })

  const bodies = [
    ['a job', '/api/jobs', { pipeline_name: 'tester', inputs: { text: 'x'.repeat(7_000_000) } }],
    ['a chat', '/api/agents/tester/chat', { message: 'y'.repeat(7_000_000), timeout: 600 }],
    ['a batch', '/api/agents/tester/batch', { wait: true, tasks: [{ text: 'z'.repeat(7_000_000) }] }],
  ] as const
  for (const [what, path, value] of bodies) {
    it(`are forgotten while their client waits for ${what}`, async function () {
      this.timeout(120_000)
      const count = () => scene.store.executions.estimatedDocumentCount()
      const started = await count()
      const body = JSON.stringify(value)
      const before = heldBytes()
      const clients: Socket[] = []
      for (let index = 0; index < 5; index += 1) {
        const socket = connect(port(), '127.0.0.1')
        clients.push(socket)
        const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`
        await new Promise<unknown>((resolve) => socket.write(head + body, resolve))
      }
      while ((await count()) < started + clients.length) await sleep(100)
      // The last ones were stored this moment.
      await sleep(2_000)
      const grown = heldBytes() - before
      for (const socket of clients) socket.destroy()
      expect(grown, 'bytes held for five bodies of 7 MB').to.be.below(10_000_000)
    })
  }
})
