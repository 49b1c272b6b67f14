import { expect } from 'chai'
import { setImmediate } from 'node:timers/promises'
import { JsonText } from '../../../../api/http/json-text.ts'
import { shareReads } from '../../../../api/http/shared-reads.ts'

describe('Shared reads', () => {
  const never = new AbortController().signal
  /** A reading that the test ends. */
  function reading() {
    const begun: { end: (answer: unknown) => void; responseClosed: AbortSignal }[] = []
    const read = (responseClosed: AbortSignal) => new Promise<unknown>((end) => begun.push({ end, responseClosed }))
    return { begun, read }
  }
  const textOf = async (answer: Promise<unknown>) => {
    const made = await answer
    return made instanceof JsonText ? made.source : `alone: ${JSON.stringify(made)}`
  }
  const isRead = async (begun: unknown[], count: number) => {
    await setImmediate()
    expect(begun).to.have.length(count)
  }

  it('pass the response of a single request through', async () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    const client = new AbortController()
    const answer = share('thing', client.signal, read)
    expect(begun[0]?.responseClosed).to.equal(client.signal)
    begun[0]?.end({ n: 1 })
    expect(await textOf(answer)).to.equal('alone: {"n":1}')
    await setImmediate()
    void share('thing', never, read)
    expect(begun).to.have.length(2)
  })

  it('share one next read among all requests that arrive during a read', async () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    const first = share('thing', never, read)
    const others = [share('thing', never, read), share('thing', never, read)]
    await isRead(begun, 1)
    begun[0]?.end({ n: 1 })
    expect(await textOf(first)).to.equal('alone: {"n":1}')
    await isRead(begun, 2)
    const late = share('thing', never, read)
    begun[1]?.end({ n: 2 })
    expect(await Promise.all(others.map(textOf))).to.deep.equal(['{"n":2}', '{"n":2}'])
    await isRead(begun, 3)
    begun[2]?.end({ n: 3 })
    expect(await textOf(late)).to.equal('{"n":3}')
  })

  it('continue without the client that started them, and are released at their end', async () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    void share('thing', never, read)
    const gone = new AbortController()
    const answer = share('thing', gone.signal, read)
    gone.abort()
    begun[0]?.end({ n: 1 })
    await isRead(begun, 2)
    expect(begun[1]?.responseClosed.aborted).to.equal(false)
    begun[1]?.end({ n: 2 })
    expect(await textOf(answer)).to.equal('{"n":2}')
    expect(begun[1]?.responseClosed.aborted).to.equal(true)
  })

  it('do not mix different requests', () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    void share('a', never, read)
    void share('b', never, read)
    expect(begun).to.have.length(2)
  })

  it('share a failure, and read again for the next request', async () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    void share('thing', never, read)
    const failing = share('thing', never, () => Promise.reject(new Error('away')))
    begun[0]?.end({ n: 1 })
    expect(await failing.catch((error: Error) => error.message)).to.equal('away')
    await setImmediate()
    expect(await textOf(share('thing', never, () => Promise.resolve({ ok: true })))).to.equal('alone: {"ok":true}')
  })

  it('buffer streamed responses, but not very large ones', async () => {
    const share = shareReads<unknown>()
    let readings = 0
    const pieces = (count: number) => () => {
      readings += 1
      const made = async function* () {
        for (let n = 0; n < count; n += 1) yield n === 0 ? '"ü' : 'x'.repeat(100_000)
        yield Buffer.from('"')
      }
      return Promise.resolve(new JsonText(made()))
    }
    void share('small', never, pieces(2))
    expect(await textOf(share('small', never, pieces(2)))).to.equal(`"ü${'x'.repeat(100_000)}"`)
    void share('large', never, pieces(20))
    const both = [share('large', never, pieces(20)), share('large', never, pieces(20))]
    for (const answer of both) expect(await answer).to.be.instanceOf(JsonText)
    // One for the first client, one that was too large to be shared, one for each of the two.
    expect(readings).to.equal(2 + 4)
  })
})
