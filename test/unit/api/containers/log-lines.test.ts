import { expect } from 'chai'
import { byStamp, LogParser, MAX_LINE_BYTES } from '../../../../api/containers/log-lines.ts'
import type { LogEntry } from '../../../../contracts/containers.ts'

const stampOf = (nanosecond: number) => `2030-01-01T12:00:00.${String(nanosecond).padStart(9, '0')}Z`

function frame(stream: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload)
  const header = Buffer.alloc(8)
  header.writeUInt8(stream, 0)
  header.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

const record = (nanosecond: number, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`${stampOf(nanosecond)} `), Buffer.from(content)])

function parse(bytes: Buffer, { chunkBytes = bytes.length || 1 } = {}) {
  const parser = new LogParser()
  const entries: LogEntry[] = []
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    entries.push(...parser.push(bytes.subarray(offset, offset + chunkBytes)))
  }
  entries.push(...parser.end())
  return { entries, parser }
}

const wide = Buffer.from('naïve 😀 日本 ')
const invalid = Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62])

describe('LogParser, framed', () => {
  const bytes = Buffer.concat([
    frame(1, record(1, 'out\n')),
    frame(2, record(2, 'err\n')),
    frame(1, record(3, '\n')),
    frame(1, record(4, wide.subarray(0, 8))),
    frame(2, record(5, 'between\n')),
    frame(1, record(4, Buffer.concat([wide.subarray(8), Buffer.from('\n')]))),
    frame(1, record(6, Buffer.concat([invalid, Buffer.from('\r\n')]))),
    frame(2, ''),
    frame(1, record(7, 'no line feed')),
  ])
  const expected = [
    { timestamp: stampOf(1), message: 'out' },
    { timestamp: stampOf(2), message: 'err' },
    { timestamp: stampOf(3), message: '' },
    { timestamp: stampOf(5), message: 'between' },
    { timestamp: stampOf(4), message: wide.toString() },
    { timestamp: stampOf(6), message: 'a\ufffd\ufffd(b\r' },
    { timestamp: stampOf(7), message: 'no line feed' },
  ]

  for (const chunkBytes of [1, 2, 3, 7, 8, 9, 31, 64, bytes.length]) {
    it(`gives the same entries from chunks of ${chunkBytes} bytes`, () => {
      expect(parse(bytes, { chunkBytes }).entries).to.deep.equal(expected)
    })
  }

  it('counts records, and knows the entry of the first', () => {
    const { entries, parser } = parse(bytes.subarray(frame(1, record(1, 'out\n')).length))
    expect(parser.records).to.equal(7)
    expect(parser.first).to.equal(entries[0])
    const interleaved = parse(
      Buffer.concat([frame(1, record(1, 'a')), frame(2, record(2, 'b\n')), frame(1, record(1, 'c\n'))]),
    )
    expect(interleaved.entries.map(({ message }) => message)).to.deep.equal(['b', 'ac'])
    expect(interleaved.parser.first).to.equal(interleaved.entries[1])
  })

  it('begins a new line where the stamp is another one, line feed or not', () => {
    const { entries } = parse(
      Buffer.concat([frame(1, record(1, 'ended here')), frame(1, record(2, 'began ')), frame(1, record(2, 'again\n'))]),
    )
    expect(entries.map(({ message }) => message)).to.deep.equal(['ended here', 'began again'])
  })

  it('has nothing to say about an empty log, and forgets half a frame', () => {
    expect(parse(Buffer.alloc(0)).entries).to.deep.equal([])
    expect(parse(frame(1, record(1, 'out\n')).subarray(0, 20)).entries).to.deep.equal([])
  })

  it('splits a line beyond the limit between characters and loses nothing', () => {
    const line = '€'.repeat(MAX_LINE_BYTES)
    const pieces = Buffer.from(`${line}\n`)
    const frames: Buffer[] = []
    for (let offset = 0; offset < pieces.length; offset += 16_384) {
      frames.push(frame(1, record(9, pieces.subarray(offset, offset + 16_384))))
    }
    const { entries } = parse(Buffer.concat(frames), { chunkBytes: 65_536 })
    expect(entries.length).to.be.within(3, 4)
    expect(entries.map(({ message }) => message).join('') === line).to.equal(true)
    for (const entry of entries) {
      expect(entry.timestamp).to.equal(stampOf(9))
      expect(Buffer.byteLength(entry.message)).to.be.at.most(MAX_LINE_BYTES + 16_384)
    }
  })

  it('does not split a line that just fits', () => {
    const line = 'x'.repeat(MAX_LINE_BYTES)
    const { entries } = parse(Buffer.concat([frame(1, record(1, line)), frame(1, record(1, '\n'))]))
    expect(entries.map(({ message }) => message.length)).to.deep.equal([MAX_LINE_BYTES])
  })

  it('reports what the engine says and what is no log', () => {
    expect(() => parse(frame(3, 'Error grabbing logs: unexpected EOF')))
      .to.throw(/cannot read the log: Error grabbing logs: unexpected EOF/)
      .with.property('code', 'engine_unavailable')
    for (const header of [
      [1, 0, 0, 0, 255, 255, 255, 255],
      [2, 0, 0, 1, 0, 0, 0, 0],
    ]) {
      expect(() => parse(Buffer.from(header)))
        .to.throw(/not a log/)
        .with.property('code', 'engine_unavailable')
    }
  })
})

describe('LogParser, TTY', () => {
  const long = 'é'.repeat(12_000)
  const pieces = Buffer.from(long)
  const bytes = Buffer.concat([
    record(1, 'out\r\n'),
    record(2, '\r\n'),
    record(3, pieces.subarray(0, 8_191)),
    record(3, pieces.subarray(8_191, 16_383)),
    record(3, Buffer.concat([pieces.subarray(16_383), Buffer.from('\r\n')])),
    record(4, '10%\r20%\n'),
    record(5, 'prompt> '),
  ])
  const expected = [
    { timestamp: stampOf(1), message: 'out' },
    { timestamp: stampOf(2), message: '' },
    { timestamp: stampOf(3), message: long },
    { timestamp: stampOf(4), message: '10%\r20%' },
    { timestamp: stampOf(5), message: 'prompt> ' },
  ]

  for (const chunkBytes of [1, 5, 31, 1_000, 65_536]) {
    it(`gives the same entries from chunks of ${chunkBytes} bytes`, () => {
      const { entries, parser } = parse(bytes, { chunkBytes })
      expect(entries).to.deep.equal(expected)
      expect(parser.records).to.equal(7)
      expect(parser.first).to.equal(entries[0])
    })
  }

  it('splits a line beyond the limit and loses nothing', () => {
    const line = Buffer.from('ü'.repeat(MAX_LINE_BYTES))
    const records: Buffer[] = []
    for (let offset = 0; offset < line.length; offset += 16_384) {
      records.push(record(9, line.subarray(offset, offset + 16_384)))
    }
    const all = Buffer.concat([...records, record(9, '\r\n'), record(10, 'next\r\n')])
    for (const chunkBytes of [4_099, 65_536]) {
      const { entries, parser } = parse(all, { chunkBytes })
      expect(entries.pop()).to.deep.equal({ timestamp: stampOf(10), message: 'next' })
      expect(entries.length).to.be.within(2, 3)
      expect(entries.map(({ message }) => message).join('') === line.toString()).to.equal(true)
      expect(parser.records).to.equal(records.length + 2)
    }
  })
})

describe('stamps', () => {
  const table: [string, LogEntry][] = [
    ['2030-01-01T14:00:00.5+02:00 hi\n', { timestamp: '2030-01-01T12:00:00.500000000Z', message: 'hi' }],
    ['2030-01-01T12:00:00Z hi\n', { timestamp: '2030-01-01T12:00:00.000000000Z', message: 'hi' }],
    ['no stamp here\n', { timestamp: '', message: 'no stamp here' }],
    ['2030-99-01T12:00:00.5Z hi\n', { timestamp: '', message: 'hi' }],
  ]
  for (const [line, expected] of table) {
    it(`reads ${JSON.stringify(line)}`, () => {
      expect(parse(frame(1, line)).entries).to.deep.equal([expected])
      expect(parse(Buffer.from(line)).entries).to.deep.equal([expected])
    })
  }

  it('order entries; those without a stamp stay where they are', () => {
    const entries = [3, 1, 2].map((nanosecond) => ({ timestamp: stampOf(nanosecond), message: '' }))
    expect(entries.toSorted(byStamp).map(({ timestamp }) => timestamp)).to.deep.equal([1, 2, 3].map(stampOf))
    expect(byStamp({ timestamp: '', message: 'a' }, { timestamp: stampOf(1), message: 'b' })).to.equal(0)
    expect(byStamp({ timestamp: stampOf(1), message: 'a' }, { timestamp: stampOf(1), message: 'b' })).to.equal(0)
  })
})
