import { expect } from 'chai'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { GrowingAnswer } from '../../../activities/model-call/growing-answer.ts'
import { deltaMessage } from '../../../api/streams/messages.ts'
import { LiveAnswers, Troupe } from '../../../client/index.ts'
import type { PartialDocument } from '../../../store/documents.ts'

const REASONING = 'Hm … let me see: 🤔. '
const TEXT = 'Ein Satz mit 👩‍🔬, 𝔘𝔫𝔦 und Ende.'
const THOUGHTS = [...REASONING]
const UNITS = [...THOUGHTS, ...TEXT]
const SERVICE_RESTART = 1012
const END = JSON.stringify({ type: 'complete', data: { id: 'job', status: 'completed', outputs: {}, spans: [] } })

/**
 * Streams one answer, a character at a time, to whoever connects: what there is of it, then what comes. A client's first connection
 * is cut behind as many characters as its path says.
 */
class AnswerServer {
  readonly #server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  readonly #sockets = new Map<WebSocket, number>()
  readonly #known = new Set<string>()
  readonly #stored: PartialDocument[] = []
  readonly #answer = new GrowingAnswer({ job: 'job', path: '0', agent: 'writer', last: true }, '0.m00000', 1)

  #isOver = false
  connections = 0

  constructor() {
    this.#server.on('connection', (socket, { url = '' }) => {
      this.connections += 1
      const [, cutAt = ''] = /prompts\/(\d+)/.exec(url) ?? []
      this.#sockets.set(socket, this.#known.has(cutAt) ? Infinity : Number(cutAt))
      this.#known.add(cutAt)
      socket.once('close', () => this.#sockets.delete(socket))
      for (const piece of this.#stored) this.#send(socket, piece)
      if (this.#isOver) socket.send(END)
    })
  }

  async url(): Promise<string> {
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Writes the answer while clients come and go. */
  async write(): Promise<void> {
    for (const [index, text] of UNITS.entries()) {
      this.#answer.add({ kind: index < THOUGHTS.length ? 'reasoning' : 'text', text })
      const pieces = this.#answer.pieces()
      this.#answer.written()
      this.#stored.push(...pieces)
      for (const socket of this.#sockets.keys()) for (const piece of pieces) this.#send(socket, piece)
      await sleep(15)
    }
    this.#isOver = true
    for (const socket of this.#sockets.keys()) socket.send(END)
  }

  async close(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** What is sent before a cut arrives. */
  #send(socket: WebSocket, piece: PartialDocument): void {
    const cutAt = this.#sockets.get(socket)
    if (cutAt === undefined) return
    if (piece.offset < cutAt) socket.send(deltaMessage(piece, false))
    if (piece.offset + piece.text.length < cutAt) return
    this.#sockets.delete(socket)
    socket.close(SERVICE_RESTART)
  }
}

describe('Live model output', function () {
  this.timeout(60_000)

  it('is the same text for clients that are cut off at each of its offsets', async () => {
    const server = new AnswerServer()
    const troupe = new Troupe({ url: await server.url() })
    const length = (REASONING + TEXT).length
    const follow = async (cutAt: number) => {
      const live = new LiveAnswers()
      let told = ''
      let latest = live.all[0]
      for await (const event of troupe.prompts.stream(String(cutAt), { deltas: true })) {
        if (event.type !== 'delta') continue
        expect(event.reset).to.equal(undefined)
        expect(event.offset, 'there is a hole').to.equal(told.length)
        told += event.text
        live.accept(event)
        latest = live.all[0]
      }
      return { cutAt, text: latest?.text, reasoning: latest?.reasoning }
    }
    try {
      const cuts = Array.from({ length: length + 1 }, (_, cutAt) => cutAt)
      const [ends] = await Promise.all([Promise.all(cuts.map(follow)), server.write()])
      expect(ends).to.deep.equal(cuts.map((cutAt) => ({ cutAt, text: TEXT, reasoning: REASONING })))
      expect(server.connections).to.equal(2 * cuts.length)
    } finally {
      await server.close()
    }
  })
})
