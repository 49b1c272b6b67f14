import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import pTimeout from 'p-timeout'
import { freezeWhole } from '../support/freeze.ts'
import { startTestService, type TestService } from '../support/service.ts'

const CLIENTS = 1_500
const WAIT_MS = 15_000

describe('A burst of new connections while the API is busy', function () {
  this.timeout(120_000)
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  // What finds no place in the queue is tried again by its client's kernel after 1, 3, 7 seconds: that was the slowest health.
  it('is queued by the kernel, so that no connection is delayed by seconds', async () => {
    const pid = service.api.pid as number
    await freezeWhole(pid)
    const sockets = Array.from({ length: CLIENTS }, () =>
      connect(service.api.port, '127.0.0.1').on('error', () => undefined),
    )
    const connecting = Promise.all(sockets.map((socket) => happens(socket, 'connect')))
    await pTimeout(connecting, { milliseconds: WAIT_MS, fallback: () => [] })
    const connected = sockets.filter(({ readyState }) => readyState === 'open').length
    process.kill(pid, 'SIGCONT')
    expect((await service.request('GET', '/api/health')).status).to.equal(200)
    await Promise.all(
      sockets.map((socket) => {
        const closed = happens(socket, 'close')
        socket.destroy()
        return closed
      }),
    )
    expect(connected).to.equal(CLIENTS)
  })
})

function happens(socket: Socket, event: 'connect' | 'close'): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()))
}
