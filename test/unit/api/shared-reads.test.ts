import { expect } from 'chai'
import { JsonText } from '../../../api/json-text.ts'
import { shareReads } from '../../../api/shared-reads.ts'

describe('shareReads', () => {
  /** A reading that the test ends. */
  function reading() {
    const begun: ((answer: unknown) => void)[] = []
    const read = () => new Promise<unknown>((resolve) => begun.push(resolve))
    return { begun, read }
  }
  const textOf = async (answer: Promise<JsonText | undefined>) => (await answer)?.text()

  it('reads once for all who come during a reading, after they have asked', async () => {
    const share = shareReads()
    const { begun, read } = reading()
    const first = share('list', read)
    const others = [share('list', read), share('list', read)]
    expect(begun).to.have.length(1)
    begun[0]?.({ n: 1 })
    expect(await textOf(first)).to.equal('{"n":1}')
    expect(begun).to.have.length(2)
    begun[1]?.({ n: 2 })
    expect(await Promise.all(others.map(textOf))).to.deep.equal(['{"n":2}', '{"n":2}'])
    const later = share('list', read)
    begun[2]?.({ n: 3 })
    expect(await textOf(later)).to.equal('{"n":3}')
  })

  it('keeps different questions apart', async () => {
    const share = shareReads()
    const { begun, read } = reading()
    const both = [share('a', read), share('b', read)]
    begun[0]?.('a')
    begun[1]?.('b')
    expect(await Promise.all(both.map(textOf))).to.deep.equal(['"a"', '"b"'])
  })

  it('gives a failure to those who shared it, and reads anew for the next', async () => {
    const share = shareReads()
    const failing = share('list', () => Promise.reject(new Error('away')))
    const next = share('list', () => Promise.resolve({ ok: true }))
    expect(await failing.catch((error: Error) => error.message)).to.equal('away')
    expect(await textOf(next)).to.equal('{"ok":true}')
  })

  it('holds what is made in pieces, but nothing very large', async () => {
    const share = shareReads()
    const pieces = (count: number) => async () =>
      new JsonText(
        (async function* () {
          for (let n = 0; n < count; n += 1) yield n === 0 ? '"ü' : 'x'.repeat(100_000)
          yield Buffer.from('"')
        })(),
      )
    expect(await textOf(share('small', pieces(2)))).to.equal(`"ü${'x'.repeat(100_000)}"`)
    expect(await share('large', pieces(20))).to.equal(undefined)
  })
})
