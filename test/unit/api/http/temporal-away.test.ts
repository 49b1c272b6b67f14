import { expect } from 'chai'
import { isTemporalAway } from '../../../../api/http/temporal-away.ts'

describe('isTemporalAway', () => {
  const grpc = (code: number) => Object.assign(new Error('gRPC'), { code, details: '', metadata: {} })

  it('recognizes errors of an unreachable, interrupted or overloaded server, also as a cause', () => {
    for (const code of [1, 2, 4, 8, 10, 13, 14]) {
      expect(isTemporalAway(grpc(code)), String(code)).to.equal(true)
      expect(isTemporalAway(new Error('wrapped', { cause: grpc(code) })), String(code)).to.equal(true)
    }
  })

  it('ignores other gRPC statuses, and codes that are not from gRPC', () => {
    for (const code of [3, 5, 6, 7, 12, 16]) expect(isTemporalAway(grpc(code)), String(code)).to.equal(false)
    expect(isTemporalAway(Object.assign(new Error('other'), { code: 14 }))).to.equal(false)
    expect(isTemporalAway('gone')).to.equal(false)
  })
})
