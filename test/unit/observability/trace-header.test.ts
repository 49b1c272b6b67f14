import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import { expect } from 'chai'
import { plannedSpanId } from '../../../observability/planned-span.ts'
import { readTraceHeader, withTraceHeader } from '../../../observability/trace-header.ts'

const PLACE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true }

describe('The trace in the headers of a Temporal call', () => {
  it('comes back as it was put in', () => {
    expect(readTraceHeader(withTraceHeader({}, PLACE))).to.deep.equal(PLACE)
    const unsampled = { ...PLACE, sampled: false }
    expect(readTraceHeader(withTraceHeader({}, unsampled))).to.deep.equal(unsampled)
  })

  it('leaves other headers alone', () => {
    const other = defaultPayloadConverter.toPayload('other')
    expect(withTraceHeader({ other }, PLACE).other).to.equal(other)
  })

  it('is what other Temporal SDKs write', () => {
    const carrier = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=b' }
    expect(readTraceHeader({ '_tracer-data': defaultPayloadConverter.toPayload(carrier) })).to.deep.equal(PLACE)
  })

  const unreadable: [string, unknown][] = [
    ['nothing', undefined],
    ['a text', 'text'],
    ['null', null],
    ['no traceparent', {}],
    ['a number', { traceparent: 5 }],
    ['another version', { traceparent: '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }],
    ['short ids', { traceparent: '00-0af7-b7ad-01' }],
  ]
  for (const [title, value] of unreadable) {
    it(`is none with ${title}`, () => {
      const headers: Headers = value === undefined ? {} : { '_tracer-data': defaultPayloadConverter.toPayload(value) }
      expect(readTraceHeader(headers)).to.equal(undefined)
    })
  }

  it('is none with a payload that is no JSON', () => {
    const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') }
    expect(readTraceHeader({ '_tracer-data': payload })).to.equal(undefined)
  })
})

describe('plannedSpanId', () => {
  it('is FNV-1a, 64 bits, in 16 hex digits', () => {
    expect(plannedSpanId('')).to.equal('cbf29ce484222325')
    expect(plannedSpanId('a')).to.equal('af63dc4c8601ec8c')
    expect(plannedSpanId('foobar')).to.equal('85944171f73967e8')
  })

  it('differs for neighbours', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => plannedSpanId(`trace/job-${index}/0`))
    expect(new Set(ids).size).to.equal(ids.length)
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).to.equal(true)
  })
})
