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
  /**
   * Breaks one connection, the next on which a client sends this text, or the last of several that are sent one after the other:
   * what it sent arrives, and is answered, but the answer is not heard. Resolves when that has happened.
   */
  breakAfter: (...texts: string[]) => Promise<void>
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

/** Node never closes a socket that is reset in the moment in which it ends. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** Time enough for a server's answer, which nobody hears. */
const UNHEARD_MS = 1_000

/** A wire to a server of this machine, or of another. */
export async function startProxy(targetPort: number, targetHost = '127.0.0.1'): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isCut = false
  let delayMs = 0
  let connections = 0
  /** Up to which connection nothing passes, and until when, by direction. */
  const frozen: { there?: Frost; back?: Frost } = {}
  let trap: { texts: string[]; sprung: () => void } | undefined
  const unheard = new Set<number>()
  /** Gives the chunk to the server, and the client nothing any more. */
  const spring = (connection: number, inner: Socket): void => {
    const { sprung } = trap ?? {}
    trap = undefined
    unheard.add(connection)
    setTimeout(() => {
      reset(inner)
      sprung?.()
    }, UNHEARD_MS)
  }
  const pass = (connection: number, direction: 'there' | 'back', inner: Socket) =>
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (direction === 'there' && trap !== undefined && chunk.includes(trap.texts[0] ?? '')) {
          trap.texts.shift()
          if (trap.texts.length === 0) spring(connection, inner)
        }
        if (direction === 'back' && unheard.has(connection)) continue
        const frost = frozen[direction]
        if (frost !== undefined && connection <= frost.upTo) await frost.thaw.promise
        if (delayMs > 0) await sleep(delayMs)
        yield chunk
      }
    }
  const server = createServer((inner) => {
    if (isCut) return reset(inner)
    const outer = connect(targetPort, targetHost)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    connections += 1
    pipeline(inner, pass(connections, 'there', inner), outer, pass(connections, 'back', inner), inner, () => {})
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
    for (const socket of sockets) reset(socket)
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
    breakAfter: (...texts) => new Promise((sprung) => (trap = { texts, sprung })),
    slow: (ms) => (delayMs = ms),
    mend,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
