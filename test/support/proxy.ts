import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A wire to a server that a test can cut. */
export interface Proxy {
  port: number
  /** Breaks all connections and takes no new ones. */
  cut: () => void
  /**
   * Passes nothing on any more and tells nobody; a cut or a mend ends that.
   * @param newToo - also on connections that are made from now on.
   */
  freeze: (newToo?: boolean) => void
  /** Passes on what clients send, and nothing back; a cut or a mend ends that. */
  mute: () => void
  /** Passes each chunk on after so many milliseconds. */
  slow: (delayMs: number) => void
  mend: () => void
  close: () => Promise<void>
}

interface Frost {
  upTo: number
  thaw: PromiseWithResolvers<void>
}

function frost(upTo: number): Frost {
  return { upTo, thaw: Promise.withResolvers() }
}

export async function startProxy(targetPort: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  let delayMs = 0
  let connections = 0
  /** Up to which connection nothing passes, and until when, by direction. */
  const frozen: { there?: Frost; back?: Frost } = {}
  const pass = (connection: number, direction: 'there' | 'back') =>
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        const frost = frozen[direction]
        if (frost !== undefined && connection <= frost.upTo) await frost.thaw.promise
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
    connections += 1
    pipeline(inner, pass(connections, 'there'), outer, pass(connections, 'back'), inner, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mend = (): void => {
    isCut = false
    delayMs = 0
    for (const direction of ['there', 'back'] as const) {
      frozen[direction]?.thaw.resolve()
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
    freeze: (newToo = false) => {
      frozen.there ??= frost(newToo ? Infinity : connections)
      frozen.back ??= frost(newToo ? Infinity : connections)
    },
    mute: () => (frozen.back ??= frost(Infinity)),
    slow: (ms) => (delayMs = ms),
    mend,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
