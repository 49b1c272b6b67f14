import { randomBytes } from 'node:crypto'

export interface Frame {
  opcode: number
  payload?: Buffer
  fin?: boolean
  /** Reserved bits, which nobody has agreed on. */
  reserved?: number
  masked?: boolean
  /** What the header says, where that is not the length of the payload. */
  length?: bigint
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** A WebSocket frame as a client sends it, right or wrong. */
export function frame({
  opcode,
  payload = Buffer.alloc(0),
  fin = true,
  reserved = 0,
  masked = true,
  length,
}: Frame): Buffer {
  const size = length ?? BigInt(payload.length)
  const head = Buffer.alloc(size < 126n ? 2 : size < 65_536n ? 4 : 10)
  head[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode
  head[1] = (masked ? 0x80 : 0) | (size < 126n ? Number(size) : size < 65_536n ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(Number(size), 2)
  if (head.length === 10) head.writeBigUInt64BE(size, 2)
  if (!masked) return Buffer.concat([head, payload])
  const mask = randomBytes(4)
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))])
}

/** What a server said on a socket: its response to the handshake, then whole frames. */
export interface Heard {
  /** Undefined until the head of the response has come. */
  status: number | undefined
  body: string
  texts: string[]
  closeCode: number | undefined
}

/** Reads what a server sent since the connection was made. The server masks nothing and cuts nothing into fragments. */
export function hear(received: Buffer): Heard {
  const headEnd = received.indexOf('\r\n\r\n')
  const heard: Heard = { status: undefined, body: '', texts: [], closeCode: undefined }
  if (headEnd < 0) return heard
  heard.status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received.toString('latin1', 0, 20))?.[1])
  let rest = received.subarray(headEnd + 4)
  if (heard.status !== 101) return { ...heard, body: rest.toString() }
  while (rest.length >= 2) {
    const short = rest.readUInt8(1)
    const headBytes = short === 127 ? 10 : short === 126 ? 4 : 2
    if (rest.length < headBytes) break
    const size = short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short
    if (rest.length < headBytes + size) break
    const payload = rest.subarray(headBytes, headBytes + size)
    const opcode = rest.readUInt8(0) & 0x0f
    if (opcode === OPCODE.text) heard.texts.push(payload.toString())
    if (opcode === OPCODE.close) heard.closeCode = size >= 2 ? payload.readUInt16BE(0) : 1005
    rest = rest.subarray(headBytes + size)
  }
  return heard
}
