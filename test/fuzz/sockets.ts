import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../chaos/random.ts'
import { ATTACKS, handshake } from './attacks.ts'
import { hear, type Heard } from './frames.ts'

export interface SocketFuzzOptions {
  port: number
  seed: number
  ms: number
  /** Hostile connections at a time. */
  lanes: number
  /** Ids of executions and batches. */
  ids: () => readonly string[]
}

export interface SocketFuzzReport {
  violations: string[]
  /** How often each attack was made on an open socket, and how each handshake was refused. */
  seen: Record<string, number>
}

const REFUSALS = new Set([400, 401, 403, 404, 405, 408, 426, 431, 503])
/** Contract: 1000 after an error, 1009 and 1013; RFC 6455: 1002 and 1007 for what is no protocol and no text. */
const CLOSE_CODES = new Set([1000, 1002, 1007, 1009, 1013])
/** What a client must be told that sent so much. */
const DUE: Record<string, number> = {
  'too large': 1009,
  'too many fragments': 1009,
  'said to be huge': 1009,
  'broken UTF-8': 1007,
  'not masked': 1002,
}
const TYPES = new Set(['traces', 'complete', 'delta', 'trace', 'batch', 'log', 'error'])
const WAIT_MS = 5_000
const LEAVE_MS = 1_000

/** Hostile clients on every WebSocket path, for some time. */
export async function fuzzSockets(options: SocketFuzzOptions): Promise<SocketFuzzReport> {
  const report: SocketFuzzReport = { violations: [], seen: {} }
  const until = performance.now() + options.ms
  const lane = async (index: number): Promise<void> => {
    const random = new Random(options.seed, `lane ${index}`)
    while (performance.now() < until) await attack(options, random, report)
  }
  await Promise.all(Array.from({ length: options.lanes }, (_, index) => lane(index)))
  return report
}

async function attack(
  { port, ids }: SocketFuzzOptions,
  random: Random,
  { violations, seen }: SocketFuzzReport,
): Promise<void> {
  const request = handshake(random, ids())
  const { name, bytes } = random.pick(ATTACKS)
  const peer = new HostilePeer(port)
  try {
    if (random.chance(0.05)) return await breakOff(peer, request, random)
    peer.socket.write(request)
    const { status, body } = await peer.until(
      ({ status: come, body: text }) => come !== undefined && (come === 101 || text !== ''),
    )
    const title = `${request.slice(0, 120)} … ${name}`
    if (status !== 101) {
      seen[`refused with ${status}`] = (seen[`refused with ${status}`] ?? 0) + 1
      if (!isRefusal(status, body)) violations.push(`${title}: ${status} ${body.slice(0, 200)}`)
      return
    }
    seen[name] = (seen[name] ?? 0) + 1
    // A slow client: what comes is not read for a while.
    if (random.chance(0.1)) peer.socket.pause()
    await writeInPieces(peer.socket, bytes(random), random)
    const due = DUE[name]
    const heard = await (due === undefined
      ? peer.afterwards(random.between(0, 300))
      : peer.until(({ closeCode }) => closeCode !== undefined))
    violations.push(...wrongs(heard, due).map((wrong) => `${title}: ${wrong}`))
  } finally {
    await peer.leave(random)
  }
}

async function breakOff({ socket }: HostilePeer, request: string, random: Random): Promise<void> {
  socket.write(request.slice(0, random.between(0, request.length - 1)))
  await sleep(random.between(0, 100))
}

function isRefusal(status: number | undefined, body: string): boolean {
  if (status === undefined || !REFUSALS.has(status)) return status === 200
  try {
    return typeof (JSON.parse(body) as { detail: unknown }).detail === 'string'
  } catch {
    return false
  }
}

function wrongs({ texts, closeCode }: Heard, due: number | undefined): string[] {
  const found = texts.filter((text) => !TYPES.has((JSON.parse(text) as { type: string }).type))
  // An unknown id may have been told before what was sent was read.
  const isToldBefore = closeCode === 1000 && texts.some((text) => text.startsWith('{"type":"error"'))
  if (due !== undefined && closeCode !== due && !isToldBefore) found.push(`closed with ${closeCode}, due is ${due}`)
  if (closeCode !== undefined && !CLOSE_CODES.has(closeCode)) {
    // What a client closes with comes back.
    if (![1001, 1005, 3000, 4999].includes(closeCode)) found.push(`closed with ${closeCode}`)
  }
  return found
}

async function writeInPieces(socket: Socket, bytes: Buffer, random: Random): Promise<void> {
  if (random.chance(0.7)) return void socket.write(bytes)
  for (let at = 0; at < bytes.length && !socket.destroyed;) {
    const size = random.between(1, 4_096)
    socket.write(bytes.subarray(at, at + size))
    at += size
    await sleep(random.between(0, 3))
  }
}

/** A connection that keeps what it hears and survives what becomes of it. */
class HostilePeer {
  readonly socket: Socket
  #received: Buffer[] = []
  #changed = Promise.withResolvers<void>()
  #isClosed = false

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.on('error', () => undefined)
    this.socket.on('data', (bytes) => {
      this.#received.push(bytes)
      this.#change()
    })
    this.socket.on('close', () => {
      this.#isClosed = true
      this.#change()
    })
  }

  /** What was heard when the condition held, the socket closed or the time was up. */
  async until(condition: (heard: Heard) => boolean): Promise<Heard> {
    this.socket.resume()
    const timer = setTimeout(() => this.socket.destroy(), WAIT_MS)
    for (;;) {
      const heard = hear(Buffer.concat(this.#received))
      if (this.#isClosed || condition(heard)) {
        clearTimeout(timer)
        return heard
      }
      await this.#changed.promise
    }
  }

  async afterwards(ms: number): Promise<Heard> {
    await sleep(ms)
    return hear(Buffer.concat(this.#received))
  }

  /** Goes, politely or not; resolves when nothing is left of the connection. */
  async leave(random: Random): Promise<void> {
    const isReset = random.chance(0.3)
    if (!isReset && random.chance(0.5)) {
      this.socket.resume().end()
      await this.afterwards(random.between(0, 200))
    }
    if (this.#isClosed) return
    const closed = once(this.socket, 'close')
    if (isReset && this.socket.readyState === 'open') this.socket.resetAndDestroy()
    else this.socket.destroy()
    await Promise.race([closed, sleep(LEAVE_MS)])
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
