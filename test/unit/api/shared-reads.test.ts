import { expect } from 'chai'
import { setImmediate } from 'node:timers/promises'
import { JsonText } from '../../../api/json-text.ts'
import { shareReads } from '../../../api/shared-reads.ts'

describe('shareReads', () => {
  const never = new AbortController().signal
  /** A reading that the test ends. */
  function reading() {
    const begun: { end: (answer: unknown) => void; released: AbortSignal }[] = []
    const read = (released: AbortSignal) => new Promise<unknown>((end) => begun.push({ end, released }))
    return { begun, read }
  }
  const textOf = async (answer: Promise<unknown>) => {
    const made = await answer
    return Buffer.isBuffer(made) ? made.toString() : `alone: ${JSON.stringify(made)}`
  }

  it('gives one who asks alone the answer as it is made', async () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    const client = new AbortController()
    const answer = share('thing', client.signal, read)
    expect(begun[0]?.released).to.equal(client.signal)
    begun[0]?.end({ n: 1 })
    expect(await textOf(answer)).to.equal('alone: {"n":1}')
    client.abort()
    void share('thing', never, read)
    expect(begun).to.have.length(2)
  })

  it('reads once for all who come during a reading, after they have asked', async () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    void share('thing', never, read)
    const second = share('thing', never, read)
    const others = [share('thing', never, read), share('thing', never, read)]
    expect(begun).to.have.length(2)
    begun[1]?.end({ n: 2 })
    expect(await textOf(second)).to.equal('{"n":2}')
    await setImmediate()
    expect(begun).to.have.length(3)
    begun[2]?.end({ n: 3 })
    expect(await Promise.all(others.map(textOf))).to.deep.equal(['{"n":3}', '{"n":3}'])
    const later = share('thing', never, read)
    begun[3]?.end({ n: 4 })
    expect(await textOf(later)).to.equal('{"n":4}')
  })

  it('lets a shared reading go on without the client that began it, and releases it at its end', async () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    void share('thing', never, read)
    const gone = new AbortController()
    const answer = share('thing', gone.signal, read)
    gone.abort()
    expect(begun[1]?.released.aborted).to.equal(false)
    begun[1]?.end({ n: 2 })
    expect(await textOf(answer)).to.equal('{"n":2}')
    expect(begun[1]?.released.aborted).to.equal(true)
  })

  it('releases a shared reading when all who wanted it have gone', () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    const clients = [new AbortController(), new AbortController()]
    for (const { signal } of clients) void share('thing', signal, read)
    clients[0]?.abort()
    expect(begun[1]?.released.aborted).to.equal(false)
    clients[1]?.abort()
    expect(begun[1]?.released.aborted).to.equal(true)
  })

  it('reads for one who has waited long for others', async () => {
    const share = shareReads<unknown>({ patienceMs: 20 })
    const stalled = () => new Promise<unknown>(() => {})
    void share('thing', never, stalled)
    void share('thing', never, stalled)
    expect(await textOf(share('thing', never, () => Promise.resolve({ n: 3 })))).to.equal('alone: {"n":3}')
  })

  it('does not wait for a client that takes its answer slowly', async () => {
    const share = shareReads<unknown>()
    void share('thing', never, () => new Promise(() => {}))
    expect(await textOf(share('thing', never, () => Promise.resolve({ n: 2 })))).to.equal('{"n":2}')
  })

  it('keeps different questions apart', () => {
    const share = shareReads<unknown>()
    const { begun, read } = reading()
    void share('a', never, read)
    void share('b', never, read)
    expect(begun).to.have.length(2)
  })

  it('gives a failure to those who shared it, and reads anew for the next', async () => {
    const share = shareReads<unknown>()
    void share('thing', never, () => new Promise(() => {}))
    const failing = share('thing', never, () => Promise.reject(new Error('away')))
    const next = share('thing', never, () => Promise.resolve({ ok: true }))
    expect(await failing.catch((error: Error) => error.message)).to.equal('away')
    expect(await textOf(next)).to.equal('{"ok":true}')
  })

  it('holds what is made in pieces, and lets everyone read what is very large', async () => {
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
    // One for who came first, one that was too large to be shared, one for each of the two.
    expect(readings).to.equal(2 + 4)
  })
})
