import { expect } from 'chai'
import { setTimeout as after } from 'node:timers/promises'
import { modelTimeouts, watchSilence } from '../../../agents/models/silence.ts'

describe('modelTimeouts', () => {
  it('lets a provider think for minutes, and stop for a minute while it writes', () => {
    expect(modelTimeouts()).to.deep.equal({
      firstChunkMs: 120_000,
      reasoningMs: 600_000,
      writingMs: 60_000,
      totalMs: 1_800_000,
    })
  })

  it('stretches every silence with a longer total, for models that are slow', () => {
    expect(modelTimeouts(3_600_000)).to.deep.equal({
      firstChunkMs: 240_000,
      reasoningMs: 1_200_000,
      writingMs: 120_000,
      totalMs: 3_600_000,
    })
  })

  it('allows no silence that is longer than the total', () => {
    expect(modelTimeouts(90_000)).to.include({ firstChunkMs: 90_000, reasoningMs: 90_000, writingMs: 60_000 })
  })
})

describe('watchSilence', () => {
  const LONG = 60_000
  const timeouts = { firstChunkMs: LONG, reasoningMs: LONG, writingMs: LONG, totalMs: LONG }
  const expiry = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve))

  for (const [phase, limit] of [
    ['waiting', 'firstChunkMs'],
    ['reasoning', 'reasoningMs'],
    ['writing', 'writingMs'],
  ] as const) {
    it(`ends a silence while the provider is ${phase} after ${limit}`, async () => {
      const watch = watchSilence({ ...timeouts, [limit]: 50 })
      if (phase !== 'waiting') watch.heard(phase)
      await expiry(watch.signal)
      expect(watch.expired()).to.deep.equal({ silent: true, afterMs: 50 })
      watch.stop()
    })
  }

  it('ends an answer that goes on for too long, however much of it comes', async () => {
    const watch = watchSilence({ ...timeouts, writingMs: 200, totalMs: 400 })
    while (!watch.signal.aborted) {
      watch.heard('writing')
      await after(20)
    }
    expect(watch.expired()).to.deep.equal({ silent: false, afterMs: 400 })
    watch.stop()
  })

  it('is not begun again by what comes after the end', async () => {
    const watch = watchSilence({ ...timeouts, writingMs: 20 })
    watch.stop()
    watch.heard('writing')
    await after(60)
    expect(watch.signal.aborted).to.equal(false)
  })
})
