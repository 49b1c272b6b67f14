import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A wire to a server that a test can cut. */
export interface Proxy {
  port: number
  /** Breaks all connections and takes no new ones. */
  cut: () => void
  /** Passes nothing on any more and tells nobody, also on connections that are made now; a cut or a mend ends that. */
  freeze: () => void
  /** Passes on what clients send, and nothing back; a cut or a mend ends that. */
  mute: () => void
  /** Passes each chunk on after so many milliseconds. */
  slow: (delayMs: number) => void
  mend: () => void
  close: () => Promise<void>
}

export async function startProxy(targetPort: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  let delayMs = 0
  /** Until when nothing passes, by direction. */
  const frozen: { there?: PromiseWithResolvers<void>; back?: PromiseWithResolvers<void> } = {}
  const pass = (direction: 'there' | 'back') =>
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        await frozen[direction]?.promise
        if (delayMs > 0) await sleep(delayMs)
        yield chunk
      }
    }
  const server = createServer((inner) => {
    if (isCut) return inner.resetAndDestroy()
    const outer = connect(targetPort, '127.0.0.1')
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    pipeline(inner, pass('there'), outer, pass('back'), inner, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mend = (): void => {
    isCut = false
    delayMs = 0
    for (const direction of ['there', 'back'] as const) {
      frozen[direction]?.resolve()
      delete frozen[direction]
    }
  }
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
    mend()
    isCut = true
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze: () => {
      frozen.there ??= Promise.withResolvers()
      frozen.back ??= Promise.withResolvers()
    },
    mute: () => (frozen.back ??= Promise.withResolvers()),
    slow: (ms) => (delayMs = ms),
    mend,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
