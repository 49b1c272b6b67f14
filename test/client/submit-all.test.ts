import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Troupe, TroupeError, type SubmitProgress } from '../../client/index.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { startTestService, type TestService } from '../support/service.ts'

describe('Client: submission of many tasks', () => {
  let service: TestService
  let proxy: Proxy
  let troupe: Troupe
  before(async () => {
    service = await startTestService()
    proxy = await startProxy(service.api.port)
    troupe = new Troupe({ url: service.api.url })
  })
  after(async () => {
    await proxy?.close()
    await service?.stop()
  })

  function* numbered(count: number): Generator<{ row: number }> {
    for (let row = 0; row < count; row++) yield { row }
  }

  /** The rows that the service has of a batch, in its order. */
  async function rowsOf(batchId: string): Promise<unknown[]> {
    const { inputs } = await troupe.batches.get(batchId)
    return inputs.tasks.map(({ row }) => row)
  }

  const rows = (count: number): number[] => [...numbered(count)].map(({ row }) => row)

  it('submits any number of tasks in order, and reports the progress', async () => {
    const seen: number[] = []
    const onProgress = ({ submitted }: SubmitProgress): void => void seen.push(submitted)
    const { batch_id, submitted, skipped } = await troupe.batches.submitAll('instant', numbered(250), {
      chunk: 100,
      onProgress,
    })
    expect({ submitted, skipped, seen }).to.deep.equal({ submitted: 250, skipped: 0, seen: [0, 100, 200, 250] })
    expect(await rowsOf(batch_id)).to.deep.equal(rows(250))
    const { summary } = await troupe.batches.wait(batch_id)
    expect(summary).to.deep.equal({ total_expected: 250, recorded: 250, succeeded: 250, failed: 0 })
  })

  it('continues an interrupted call, even with another chunk size', async () => {
    const batchId = `interrupted-${randomUUID()}`
    for (const [chunk, stopAt] of [
      [50, 150],
      [70, 300],
    ] as const) {
      const stop = new AbortController()
      const onProgress = ({ submitted }: SubmitProgress): void => {
        if (submitted >= stopAt) stop.abort()
      }
      const options = { batchId, chunk, onProgress, signal: stop.signal }
      const failure = await troupe.batches.submitAll('instant', numbered(500), options).catch((error: unknown) => error)
      expect(failure).to.have.property('name', 'AbortError')
    }
    const { submitted, skipped } = await troupe.batches.submitAll('instant', numbered(500), { batchId })
    expect({ submitted, skipped }).to.deep.equal({ submitted: 500, skipped: 360 })
    expect(await rowsOf(batchId)).to.deep.equal(rows(500))
  })

  it('changes nothing when all tasks have already been submitted', async () => {
    const batchId = randomUUID()
    await troupe.batches.submitAll('instant', numbered(10), { batchId })
    const again = await troupe.batches.submitAll('instant', numbered(10), { batchId })
    expect(again).to.deep.equal({ batch_id: batchId, submitted: 10, skipped: 10 })
    expect(await rowsOf(batchId)).to.deep.equal(rows(10))
  })

  it('submits nothing twice when several callers submit the same tasks at the same time', async () => {
    const batchId = randomUUID()
    await Promise.all([1, 2, 3].map(() => troupe.batches.submitAll('instant', numbered(400), { batchId, chunk: 100 })))
    expect(await rowsOf(batchId)).to.deep.equal(rows(400))
  })

  it('rejects tasks that differ from those that another caller submits concurrently', async () => {
    const batchId = randomUUID()
    // Looks before the first chunk of the other has landed, and submits after it.
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (init?.method === 'POST') await troupe.batches.submitAll('instant', numbered(100), { batchId })
      return globalThis.fetch(input, init)
    }
    const late = new Troupe({ url: service.api.url, fetch })
    const failure = await late.batches.submitAll('instant', [{ row: -1 }], { batchId }).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(TroupeError).and.have.property('status', 409)
    expect(await rowsOf(batchId)).to.deep.equal(rows(100))
  })

  it('rejects different or fewer tasks than the batch has', async () => {
    const batchId = randomUUID()
    await troupe.batches.submitAll('instant', numbered(10), { batchId })
    for (const other of [[{ row: 0 }, { row: 2 }], [...numbered(9)]]) {
      const failure = await troupe.batches.submitAll('instant', other, { batchId }).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(TroupeError).and.have.property('status', 409)
    }
    expect(await rowsOf(batchId)).to.deep.equal(rows(10))
  })

  it('submits each task once when the network is cut', async () => {
    const cut = new Troupe({ url: `http://127.0.0.1:${proxy.port}` })
    const batchId = randomUUID()
    const onProgress = (): void => {
      // While the next chunk is on its way, or its response on the way back.
      setTimeout(() => proxy.cut(), Math.random() * 30)
      setTimeout(() => proxy.mend(), 100)
    }
    await cut.batches.submitAll('instant', numbered(600), { batchId, chunk: 60, onProgress })
    expect(await rowsOf(batchId)).to.deep.equal(rows(600))
  })

  it('gives the results in the order of submission, with large ones fetched', async () => {
    const tasks = Array.from({ length: 30 }, (_, number) => ({
      bytes: number === 3 || number === 20 ? 200_000 : number,
    }))
    const { batch_id } = await troupe.batches.submitAll('big', tasks)
    await troupe.batches.wait(batch_id)
    const lengths: number[] = []
    for await (const { index, status, response } of troupe.batches.results(batch_id)) {
      expect({ index, status }).to.deep.equal({ index: lengths.length, status: 'success' })
      lengths.push((response as { result: { text: string } }).result.text.length)
    }
    expect(lengths).to.deep.equal(tasks.map(({ bytes }) => bytes))
  })

  it('returns only results with the requested status', async () => {
    const tasks = [{ gate: 'g', fail: true }, { gate: 'g' }, { gate: 'g', fail: true }]
    const { batch_id } = await troupe.batches.submitAll('gated', tasks)
    await service.open('g')
    await troupe.batches.wait(batch_id)
    const failed: number[] = []
    for await (const { index, response } of troupe.batches.results(batch_id, { status: 'error' })) {
      failed.push(index)
      expect(response.error).to.equal('the gate opened and it failed')
    }
    expect(failed).to.deep.equal([0, 2])
  })
})
