import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** A wire to a server that a test can cut. */
export interface Proxy {
  port: number
  /** Breaks all connections and takes no new ones. */
  cut: () => void
  /** Passes nothing on any more and tells nobody; only a cut ends that. */
  freeze: () => void
  mend: () => void
  close: () => Promise<void>
}

export async function startProxy(targetPort: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((inner) => {
    if (isCut) return inner.resetAndDestroy()
    const outer = connect(targetPort, '127.0.0.1')
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    pipeline(inner, outer, inner, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze: () => {
      for (const socket of sockets) socket.pause()
    },
    mend: () => (isCut = false),
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
