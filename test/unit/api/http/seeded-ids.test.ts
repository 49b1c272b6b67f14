import { expect } from 'chai'
import { idFromSeed, newSeed } from '../../../../api/http/seeded-ids.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('idFromSeed', () => {
  it('gives the same id for the same place, in the form of a UUIDv4', () => {
    const seed = newSeed()
    expect(idFromSeed(seed, 3)).to.equal(idFromSeed(seed, 3))
    expect(idFromSeed('seed', 0)).to.equal('b0943760-c662-41bf-8678-23612f647fdd')
  })

  it('gives different ids for different places and seeds, that look alike nowhere', () => {
    const ids = [newSeed(), newSeed()].flatMap((seed) =>
      Array.from({ length: 5_000 }, (_, index) => idFromSeed(seed, index)),
    )
    expect(new Set(ids).size).to.equal(10_000)
    expect(ids.every((id) => UUID_V4.test(id))).to.equal(true)
    expect(new Set(ids.slice(0, 500).map((id) => id.slice(0, 8))).size).to.equal(500)
    // A place's digits never run into the seed's.
    expect(idFromSeed('a/1', 2)).not.to.equal(idFromSeed('a', 12))
  })
})
