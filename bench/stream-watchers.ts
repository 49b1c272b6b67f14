import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'

interface Message {
  type: string
  data?: { id?: number; spans?: { id: number }[] }
  events?: { data: { id: number } }[]
}

/** A client that records when each event arrived. */
export class Watcher {
  readonly opened: Promise<unknown>
  readonly received: { id: string; at: number }[] = []
  readonly #socket: WebSocket

  constructor(url: string) {
    this.#socket = new WebSocket(url, { perMessageDeflate: false })
    this.opened = once(this.#socket, 'open')
    this.#socket.on('message', (text: Buffer) => {
      const at = performance.now()
      const { data, events } = JSON.parse(text.toString()) as Message
      const ids = data?.spans?.map(({ id }) => id) ?? events?.map((event) => event.data.id) ?? [data?.id]
      for (const id of ids) this.received.push({ id: String(id), at })
    })
  }

  close(): void {
    this.#socket.terminate()
  }
}

/** Clients that only read, so that the server and not the clients limit the measurement. */
export async function connectHerd(url: string, count: number): Promise<{ close: () => void }> {
  const sockets: Socket[] = []
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: Math.min(100, count - from) }, () => openRaw(new URL(url)))
    sockets.push(...(await Promise.all(some)))
  }
  return { close: () => sockets.forEach((socket) => socket.destroy()) }
}

async function openRaw({ hostname, port, pathname }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const headers = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Host: ${hostname}`]
  const key = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`
  socket.write([`GET ${pathname} HTTP/1.1`, ...headers, key, '', ''].join('\r\n'))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101'))
    throw new Error(`The handshake failed: ${answer.toString()}`)
  socket.on('data', () => {}).on('error', () => {})
  return socket
}
