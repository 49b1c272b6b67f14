import { expect } from 'chai'
import { parseSince, stampToUnixTime } from '../../../../api/containers/since.ts'

const now = new Date('2030-01-02T00:00:00.250Z')
const nowSeconds = Date.parse('2030-01-02T00:00:00Z') / 1000
const atSeconds = (iso: string) => Date.parse(iso) / 1000

describe('parseSince', () => {
  const accepted: [string, string][] = [
    ['0s', `${nowSeconds}.250000000`],
    ['30s', `${nowSeconds - 30}.250000000`],
    ['5m', `${nowSeconds - 300}.250000000`],
    ['1h', `${nowSeconds - 3600}.250000000`],
    ['2d', `${nowSeconds - 172_800}.250000000`],
    ['1h30m', `${nowSeconds - 5400}.250000000`],
    ['99999999999999999999d', '0.000000000'],
    ['2030-01-01T12:00:00Z', `${atSeconds('2030-01-01T12:00:00Z')}.000000001`],
    ['2030-01-01t12:00:00z', `${atSeconds('2030-01-01T12:00:00Z')}.000000001`],
    ['2030-01-01T12:00:00.123Z', `${atSeconds('2030-01-01T12:00:00Z')}.123000001`],
    ['2030-01-01T12:00:00.123456789Z', `${atSeconds('2030-01-01T12:00:00Z')}.123456790`],
    ['2030-01-01T12:00:00.999999999Z', `${atSeconds('2030-01-01T12:00:01Z')}.000000000`],
    ['2030-01-01T12:00:00.1234567891234Z', `${atSeconds('2030-01-01T12:00:00Z')}.123456790`],
    ['2030-01-01T12:00:00,5Z', `${atSeconds('2030-01-01T12:00:00Z')}.500000001`],
    ['2030-01-01T12:00:00+02:00', `${atSeconds('2030-01-01T10:00:00Z')}.000000001`],
    ['2030-01-01T12:00:00 02:00', `${atSeconds('2030-01-01T10:00:00Z')}.000000001`],
    ['2030-01-01T12:00:00-0530', `${atSeconds('2030-01-01T17:30:00Z')}.000000001`],
    ['2030-01-01T12:00:00', `${atSeconds('2030-01-01T12:00:00Z')}.000000001`],
    ['2030-01-01 12:00', `${atSeconds('2030-01-01T12:00:00Z')}.000000001`],
    ['2030-01-01', `${atSeconds('2030-01-01T00:00:00Z')}.000000001`],
    ['2028-02-29', `${atSeconds('2028-02-29T00:00:00Z')}.000000001`],
    ['1960-01-01T00:00:00Z', '0.000000000'],
  ]
  for (const [text, expected] of accepted) {
    it(`takes ${text}`, () => expect(parseSince(text, now)).to.equal(expected))
  }

  const refused = [
    ...[
      '',
      ' ',
      '5',
      '-5m',
      '+5m',
      '5 m',
      '5M',
      '5w',
      '5ms',
      '1.5h',
      'm',
      'yesterday',
      '1735689600',
      'Infinity',
      '0x5s',
    ],
    ...['2030-13-01', '2030-02-30', '2029-02-29T00:00:00Z', '2030-01-01T25:00:00Z', '2030-01-01T12:60:00Z'],
    ...['2030-01-01T12:00:00+24:00', '2030-01-01T12:00:00+02:60', '2030-01-01T', '2030-1-1', '5m\n', '2030-01-01Z'],
  ]
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}, naming the field`, () => {
      expect(() => parseSince(text, now))
        .to.throw(/^since must be/)
        .with.property('code', 'bad_request')
    })
  }
})

describe('stampToUnixTime', () => {
  it('keeps every nanosecond', () => {
    expect(stampToUnixTime('2030-01-01T12:00:00.123456789Z')).to.equal(`${atSeconds('2030-01-01T12:00:00Z')}.123456789`)
  })

  it('is undefined for what is no time', () => {
    expect(stampToUnixTime('')).to.equal(undefined)
  })
})
