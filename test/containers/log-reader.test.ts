import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { followLog, readLog } from '../../api/containers/log-reader.ts'
import type { LogEntry } from '../../contracts/containers.ts'

const stampOf = (nanosecond: number) => `2030-01-01T12:00:00.${String(nanosecond).padStart(9, '0')}Z`

function frame(stream: number, nanosecond: number): Buffer {
  const payload = Buffer.from(`${stampOf(nanosecond)} ${nanosecond}\n`)
  const header = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0])
  header.writeUInt32BE(payload.length, 4)
  return Buffer.concat([header, payload])
}

const numbers = (entries: LogEntry[]) => entries.map(({ message }) => Number(message))

describe('what an engine sends for a log', () => {
  // Neighbours change places, across the borders of chunks too.
  const count = 5_000
  const sent = Array.from({ length: count }, (_, index) =>
    index % 7 === 3 ? index + 2 : index % 7 === 4 ? index : index + 1,
  )
  const shuffled = sent.map((nanosecond, index) => frame(1 + (index % 2), nanosecond))

  it('is read in the order of its stamps', async () => {
    const response = new PassThrough()
    response.end(Buffer.concat(shuffled))
    const { entries, records, cut } = await readLog(response)
    expect(numbers(entries)).to.deep.equal(sent.toSorted((a, b) => a - b))
    expect({ records, cut }).to.deep.equal({ records: count, cut: false })
  })

  it('is followed in the order of its stamps, from one chunk or from many', async () => {
    for (const framesInChunk of [1, 3, 1_000, count]) {
      const response = new PassThrough()
      const reading = followLog(response).toArray()
      for (let index = 0; index < count; index += framesInChunk) {
        response.write(Buffer.concat(shuffled.slice(index, index + framesInChunk)))
      }
      response.end()
      expect(numbers(await reading), `${framesInChunk} frames in a chunk`).to.deep.equal(sent.toSorted((a, b) => a - b))
    }
  })

  it('is given on while it is silent', async () => {
    const response = new PassThrough()
    const lines = followLog(response)
    response.write(frame(1, 1))
    for await (const { message } of lines as AsyncIterable<LogEntry>) {
      if (message === '2') break
      response.write(frame(2, 2))
    }
    expect(response.destroyed).to.equal(true)
  })

  it('ends with an error of the engine when it breaks off, and quietly when its reader leaves', async () => {
    const broken = new PassThrough()
    const reading = followLog(broken).toArray()
    broken.write(frame(1, 1))
    broken.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    const error: unknown = await reading.catch((thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'engine_unavailable')

    for (const isRead of [true, false]) {
      const left = new PassThrough()
      const lines = followLog(left)
      if (isRead) lines.resume()
      left.write(frame(1, 1))
      lines.destroy()
      expect(left.destroyed).to.equal(true)
    }
  })
})
