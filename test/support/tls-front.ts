import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Certificates } from './certificates.ts'

/** What a server shows that speaks TLS only. */
export interface TlsFront {
  port: number
  close: () => Promise<void>
}

export interface TlsFrontOptions {
  /** What TLS agrees on to be spoken within it; HTTP/2 needs to be named. */
  protocols?: string[]
  /** Asks clients for a certificate of the same authority, and turns away who has none. */
  asksClients?: boolean
}

/** Speaks TLS on a port of its own on behalf of a server that does not. */
export async function startTlsFront(
  targetPort: number,
  { authority, server: { certificate, key } }: Certificates,
  { protocols, asksClients = false }: TlsFrontOptions = {},
): Promise<TlsFront> {
  const [ca, cert, privateKey] = [authority, certificate, key].map((path) => readFileSync(path))
  const clients = { requestCert: asksClients, rejectUnauthorized: asksClients }
  const sockets = new Set<TLSSocket>()
  const server = createServer(
    { ca, cert, key: privateKey, ...clients, ...(protocols && { ALPNProtocols: protocols }) },
    (outer) => {
      const inner = connect(targetPort, '127.0.0.1')
      sockets.add(outer)
      outer.once('close', () => sockets.delete(outer))
      for (const [one, other] of [
        [outer, inner],
        [inner, outer],
      ] as const) {
        one.pipe(other)
        one.once('close', () => other.destroy()).on('error', () => {})
      }
    },
  )
  // Who is turned away is told by TLS itself.
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
