import type { Random } from '../chaos/random.ts'
import { frame, OPCODE } from './frames.ts'

/** The largest message that a client may send. */
const LIMIT = 65_536

/** A request for a WebSocket; most are right, so that what follows is tried, too. */
export function handshake(random: Random, ids: readonly string[]): string {
  const target = `${random.pick(paths(ids))}${random.pick(queries(random))}`
  const right = [
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.alloc(16, random.between(0, 255)).toString('base64')}`,
  ]
  const headers = random.chance(0.8) ? right : spoil(random, right)
  return `GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
}

function paths(ids: readonly string[]): string[] {
  const id = () => ids[Math.floor(ids.length / 2)] ?? 'none'
  return [
    ...ids.flatMap((each) => [`/ws/prompts/${each}`, `/ws/batches/${each}`]),
    ...Array.from({ length: ids.length }, () => '/ws/events'),
    ...[
      '/ws/logs/none',
      '/ws/prompts/none',
      '/ws/batches/%00',
      '/ws/prompts/%ff',
      `/ws/prompts/${id()}/`,
      '/ws',
      '/ws/',
    ],
    ...['/ws/other', '//ws/events', '/ws/prompts/../events', `/ws/prompts/${'x'.repeat(9_000)}`, '/api/health', '*'],
  ]
}

function queries(random: Random): string[] {
  const usual = ['', '', '', '', '?after=0', `?after=${random.between(0, 500)}`, '?payload=none', '?deltas=true']
  return [
    ...usual,
    ...usual,
    ...[
      '?after=-1',
      '?after=1e3',
      '?after=99999999999999999999',
      '?after=1&after=2',
      '?after[$gt]=0',
      '?after=%',
      '?after=%00',
    ],
    ...[
      '?payload=all',
      '?deltas=1',
      '?tail=-1',
      '?since=%F0%9F',
      '?ticket=none',
      '?ticket[$ne]=',
      `?x=${'y'.repeat(9_000)}`,
      '?%',
      '??&&==',
    ],
  ]
}

function spoil(random: Random, headers: string[]): string[] {
  const without = (name: string) => headers.filter((line) => !line.startsWith(name))
  return random.pick([
    without('Sec-WebSocket-Key'),
    without('Upgrade'),
    without('Connection'),
    without('Host'),
    [...without('Sec-WebSocket-Key'), 'Sec-WebSocket-Key: short'],
    [...without('Sec-WebSocket-Version'), 'Sec-WebSocket-Version: 99'],
    [...without('Upgrade'), 'Upgrade: h2c'],
    [...headers, 'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99'],
    [...headers, 'Sec-WebSocket-Protocol: ,,,'],
    [...headers, 'Origin: https://evil.example'],
    [...headers, `X-Long: ${'z'.repeat(20_000)}`],
    [...headers, 'Content-Length: 5'],
    [...headers, 'Transfer-Encoding: chunked'],
    [...headers, 'no header at all'],
  ])
}

/** What is done on an open socket; `end` is how the client goes. */
export interface Attack {
  name: string
  bytes: (random: Random) => Buffer
}

const garbage = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.between(0, 255)))

const text = (payload: Buffer, more: { fin?: boolean; reserved?: number; masked?: boolean } = {}): Buffer =>
  frame({ opcode: OPCODE.text, payload, ...more })

/** Everything that a client can say that it should not, and some of what it may. */
export const ATTACKS: Attack[] = [
  { name: 'nothing', bytes: () => Buffer.alloc(0) },
  { name: 'garbage', bytes: (random) => garbage(random, random.between(1, 400)) },
  { name: 'another request', bytes: () => Buffer.from('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n') },
  { name: 'text', bytes: (random) => text(Buffer.from('{"type":"subscribe"}'.repeat(random.between(1, 50)))) },
  {
    name: 'binary',
    bytes: (random) => frame({ opcode: OPCODE.binary, payload: garbage(random, random.between(0, 2_000)) }),
  },
  { name: 'the largest', bytes: () => text(Buffer.alloc(LIMIT, 'a')) },
  { name: 'too large', bytes: (random) => text(Buffer.alloc(LIMIT + random.between(1, 5_000), 'a')) },
  {
    name: 'said to be huge',
    bytes: (random) => frame({ opcode: OPCODE.text, length: random.pick([2n ** 31n, 2n ** 53n, 2n ** 63n]) }),
  },
  { name: 'not masked', bytes: () => text(Buffer.from('x'), { masked: false }) },
  { name: 'reserved bits', bytes: (random) => text(Buffer.from('x'), { reserved: random.between(1, 7) }) },
  { name: 'an unknown opcode', bytes: (random) => frame({ opcode: random.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) }) },
  {
    name: 'broken UTF-8',
    bytes: (random) => text(Buffer.from(random.pick([[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]))),
  },
  { name: 'fragments', bytes: (random) => fragments(random.between(2, 200), random.between(1, 100)) },
  { name: 'too many fragments', bytes: () => fragments(700, 100) },
  { name: 'empty fragments', bytes: (random) => fragments(random.between(100, 5_000), 0) },
  { name: 'a fragment of nothing', bytes: () => frame({ opcode: OPCODE.continuation, payload: Buffer.from('x') }) },
  {
    name: 'a message within a message',
    bytes: () => Buffer.concat([text(Buffer.from('a'), { fin: false }), text(Buffer.from('b'))]),
  },
  {
    name: 'pings',
    bytes: (random) =>
      Buffer.concat(Array.from({ length: random.between(1, 500) }, () => frame({ opcode: OPCODE.ping }))),
  },
  { name: 'a long ping', bytes: () => frame({ opcode: OPCODE.ping, payload: Buffer.alloc(126) }) },
  { name: 'pongs that nobody asked for', bytes: () => frame({ opcode: OPCODE.pong, payload: Buffer.alloc(125) }) },
  { name: 'a fragmented ping', bytes: () => frame({ opcode: OPCODE.ping, fin: false }) },
  { name: 'a close', bytes: (random) => closing(random.pick([1000, 1001, 3000, 4999])) },
  {
    name: 'a close with a wrong code',
    bytes: (random) => closing(random.pick([0, 999, 1004, 1005, 1006, 1015, 5000, 65_535])),
  },
  { name: 'a close of one byte', bytes: () => frame({ opcode: OPCODE.close, payload: Buffer.alloc(1) }) },
  { name: 'a close, and more', bytes: () => Buffer.concat([closing(1000), text(Buffer.alloc(1_000, 'a'))]) },
]

function fragments(count: number, size: number): Buffer {
  const part = (index: number) => {
    const opcode = index === 0 ? OPCODE.text : OPCODE.continuation
    return frame({ opcode, payload: Buffer.alloc(size, 'a'), fin: index === count - 1 })
  }
  return Buffer.concat(Array.from({ length: count }, (_, index) => part(index)))
}

function closing(code: number): Buffer {
  const payload = Buffer.alloc(2)
  payload.writeUInt16BE(code)
  return frame({ opcode: OPCODE.close, payload })
}
