import { expect } from 'chai'
import { createBodyRoom, type BodyPlace } from '../../../../api/http/body-room.ts'

const LARGE = 1_000_000
const here = new AbortController().signal

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let isOver = false
  const end = (): void => void (isOver = true)
  promise.then(end, end)
  await new Promise(setImmediate)
  return isOver
}

describe('the room for bodies', () => {
  it('admits small bodies, even if large ones use all of it', async () => {
    const room = createBodyRoom(LARGE)
    await room.enter(LARGE, here)
    const places = await Promise.all(Array.from({ length: 100 }, () => room.enter(65_536, here)))
    expect(places).to.have.length(100)
  })

  it('admits large bodies in the order of arrival, when there is room again', async () => {
    const room = createBodyRoom(2 * LARGE)
    const first = await room.enter(LARGE, here)
    const second = await room.enter(LARGE, here)
    const third = room.enter(2 * LARGE, here)
    const fourth = room.enter(100_000, here)
    first.keep(0)
    expect([await isSettled(third), await isSettled(fourth)]).to.deep.equal([false, false])
    second.keep(0)
    expect([await isSettled(third), await isSettled(fourth)]).to.deep.equal([true, false])
    const place: BodyPlace = await third
    // It was smaller than it might have been.
    place.keep(LARGE)
    expect(await isSettled(fourth)).to.equal(true)
    place.keep(0)
    place.keep(0)
    const filled = await room.enter(2 * LARGE - 100_000, here)
    const more = new AbortController()
    const refused = room.enter(100_000, more.signal)
    expect(await isSettled(refused)).to.equal(false)
    more.abort()
    expect(await refused.catch((error: unknown) => error)).to.have.property('code', 'unavailable')
    filled.keep(0)
  })

  it('rejects bodies that wait too long, and admits the next ones', async () => {
    const room = createBodyRoom(LARGE, 200)
    const held = await room.enter(100_000, here)
    const tooLate = room.enter(LARGE, here)
    const behind = room.enter(LARGE - 100_000, here).catch((error: unknown) => error)
    const error: unknown = await tooLate.catch((thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'unavailable')
    expect(error).to.have.property('message', 'Too many large request bodies are being processed; try again.')
    await behind
    held.keep(0)
    expect(await room.enter(100_000, here)).to.have.property('keep')
  })

  it('rejects a client that has already disconnected', async () => {
    const room = createBodyRoom(LARGE)
    await room.enter(LARGE, here)
    const gone = AbortSignal.abort()
    const error: unknown = await room.enter(LARGE, gone).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'unavailable')
  })

  it('is released when a client disconnects', async () => {
    const room = createBodyRoom(LARGE)
    const client = new AbortController()
    await room.enter(LARGE, client.signal)
    const next = room.enter(LARGE, here)
    expect(await isSettled(next)).to.equal(false)
    client.abort()
    const place = await next
    // Let in, and gone before it was told so.
    const leaving = new AbortController()
    const late = room.enter(LARGE, leaving.signal)
    place.keep(0)
    leaving.abort()
    await late.catch(() => undefined)
    expect(await room.enter(LARGE, here)).to.have.property('keep')
  })
})
