import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Troupe, TroupeError, type ConnectionState, type TraceStreamEvent } from '../../client/index.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'

describe('Client: streams', () => {
  let service: TestService
  let proxy: Proxy
  let direct: Troupe
  let troupe: Troupe
  before(async () => {
    service = await startTestService()
    proxy = await startProxy(service.api.port)
    direct = new Troupe({ url: service.api.url })
    troupe = new Troupe({ url: `http://127.0.0.1:${proxy.port}` })
  })
  after(async () => {
    await proxy?.close()
    await service?.stop()
  })

  async function idsOf(jobIds: string[]): Promise<number[]> {
    const ids: number[] = []
    for (const job_id of jobIds) for await (const { id } of direct.traces.list({ job_id })) ids.push(id)
    return ids.sort((one, other) => one - other)
  }

  async function collect(stream: AsyncIterable<TraceStreamEvent>, onSpans: (ids: number[]) => void = () => {}) {
    const ids: number[] = []
    let completes = 0
    for await (const event of stream) {
      if (event.type === 'complete') completes++
      else {
        ids.push(...event.spans.map(({ id }) => id))
        onSpans(ids)
      }
    }
    return { ids, completes }
  }

  it('yields each event of a running execution once, then its end', async () => {
    const job = randomUUID()
    const { prompt_id: id } = await troupe.prompts.create({ prompt_name: 'stepper', inputs: { job } })
    const opened = new Set<string>()
    const open = async (gate: string): Promise<void> => {
      if (opened.has(gate)) return
      opened.add(gate)
      await service.open(gate)
    }
    for (const number of [1, 4, 7]) await open(`${job}-${number}`)
    for (const number of [2, 3, 5, 6]) await open(`${id}-${number}`)
    const { ids, completes } = await collect(troupe.prompts.stream(id))
    expect(ids).to.deep.equal(await idsOf([id]))
    expect(completes).to.equal(1)
  })

  it('misses and repeats no event when the network is cut repeatedly', async function () {
    this.timeout(120_000)
    const states: ConnectionState[] = []
    const tasks = Array.from({ length: 600 }, (_, number) => ({ ms: 5, tag: String(number) }))
    const { batch_id, task_ids } = await direct.batches.submit('slow', { tasks })
    let cuts = 0
    const onSpans = (ids: number[]): void => {
      if (cuts >= 10 || ids.length < cuts * 100) return
      cuts++
      proxy.cut()
      setTimeout(() => proxy.mend(), 100)
    }
    const stream = troupe.batches.stream(batch_id, { onConnection: (state) => states.push(state) })
    const { ids, completes } = await collect(stream, onSpans)
    const expected = await idsOf(task_ids)
    expect(expected).to.have.length(1_200)
    expect(ids.toSorted((one, other) => one - other)).to.deep.equal(expected)
    expect(completes).to.equal(1)
    expect(cuts).to.be.at.least(5)
    const statuses = states.map(({ status }) => status)
    expect(statuses[0]).to.equal('connecting')
    expect(statuses.filter((status) => status === 'disconnected')).to.have.length.at.least(5)
    expect(statuses.at(-1)).to.equal('closed')
  })

  it('reports that it is disconnected, and the time of the next attempt', async () => {
    const states: ConnectionState[] = []
    const gone = new AbortController()
    const { prompt_id: id } = await direct.prompts.create({ prompt_name: 'patient', inputs: {} })
    const stream = troupe.prompts.stream(id, { signal: gone.signal, onConnection: (state) => states.push(state) })
    const reading = collect(stream).catch((error: unknown) => error)
    await eventually(
      async () => states.at(-1)?.status,
      (status) => status === 'open',
    )
    const cutAt = Date.now()
    proxy.cut()
    const lost = await eventually(
      async () => states.at(-1),
      (state) => state?.status === 'disconnected',
    )
    expect(lost?.since).to.be.within(cutAt, cutAt + 2_000)
    expect(lost?.retryAt).to.be.above(cutAt)
    proxy.mend()
    await eventually(
      async () => states.at(-1)?.status,
      (status) => status === 'open',
    )
    gone.abort()
    expect(await reading).to.have.property('name', 'AbortError')
    await direct.prompts.cancel(id)
  })

  it('detects a dead connection that was never closed', async () => {
    const other = await startProxy(service.api.port)
    const behind = new Troupe({ url: `http://127.0.0.1:${other.port}` })
    try {
      const { prompt_id: id } = await direct.prompts.create({ prompt_name: 'patient', inputs: {} })
      const states: string[] = []
      const onConnection = ({ status }: ConnectionState): void => void states.push(status)
      const reading = collect(behind.prompts.stream(id, { idleTimeoutMs: 500, onConnection }))
      await eventually(
        async () => states,
        (seen) => seen.includes('open'),
      )
      other.freeze()
      await service.open(id)
      const { ids, completes } = await reading
      expect(ids).to.deep.equal(await idsOf([id]))
      expect(completes).to.equal(1)
    } finally {
      await other.close()
    }
  })

  it('reconnects for a slow reader and loses no event', async () => {
    let handshakes = 0
    const socketCredentials = async (): Promise<Record<string, string>> => {
      handshakes++
      return {}
    }
    const slow = new Troupe({ url: service.api.url, socketCredentials })
    // One after the other, so that there are more messages than the reader keeps.
    const tasks = Array.from({ length: 60 }, (_, number) => ({ ms: 50 * number, tag: String(number) }))
    const { batch_id, task_ids } = await direct.batches.submit('slow', { tasks })
    const ids: number[] = []
    for await (const event of slow.batches.stream(batch_id, { maxWaiting: 1 })) {
      if (event.type === 'spans') ids.push(...event.spans.map(({ id }) => id))
      await sleep(400)
    }
    expect(ids.toSorted((one, other) => one - other)).to.deep.equal(await idsOf(task_ids))
    expect(handshakes).to.be.above(1)
  })

  it('requests a ticket again after a failed attempt', async () => {
    let asked = 0
    const socketCredentials = async (): Promise<Record<string, string>> => {
      if (++asked < 3) throw new TypeError('fetch failed')
      return { ticket: 'for-one-handshake' }
    }
    const states: string[] = []
    const ticketed = new Troupe({ url: service.api.url, socketCredentials })
    const { prompt_id: id } = await direct.prompts.create({ prompt_name: 'instant', inputs: {} })
    await ticketed.prompts.wait(id, { onConnection: ({ status }) => states.push(status) })
    expect(asked).to.equal(3)
    expect(states).to.deep.equal(['connecting', 'disconnected', 'disconnected', 'open', 'closed'])
  })

  it('waits for the end when the network is cut, and returns the whole result', async () => {
    const { prompt_id: id } = await direct.prompts.create({ prompt_name: 'patient', inputs: {} })
    const states: string[] = []
    const waiting = troupe.prompts.wait(id, { onConnection: ({ status }) => states.push(status) })
    await eventually(
      async () => states,
      (seen) => seen.includes('open'),
    )
    proxy.cut()
    await service.open(id)
    proxy.mend()
    expect(await waiting).to.deep.include({ status: 'completed', outputs: { message: 'at last' } })
  })

  it('rejects after the timeout with a message that the execution continues', async () => {
    const { prompt_id: id } = await direct.prompts.create({ prompt_name: 'patient', inputs: {} })
    const error = await troupe.prompts.wait(id, { timeoutMs: 200 }).catch((failure: unknown) => failure)
    expect(error).to.be.instanceOf(TroupeError).and.deep.include({ reason: 'timeout' })
    expect((await direct.prompts.get(id)).status).to.equal('running')
    await direct.prompts.cancel(id)
  })

  it('keeps following a batch when tasks are added after its end', async () => {
    const { batch_id } = await direct.batches.submit('instant', { tasks: [{ n: 1 }] })
    const totals: unknown[] = []
    for await (const event of troupe.batches.stream(batch_id, { follow: true })) {
      if (event.type !== 'complete') continue
      totals.push((event.outputs.summary as { total_expected: number }).total_expected)
      if (totals.length === 2) break
      await direct.batches.addTasks(batch_id, { agent_name: 'instant', tasks: [{ n: 2 }, { n: 3 }] })
    }
    expect(totals).to.deep.equal([1, 3])
  })

  it('throws the HTTP error for an unknown execution', async () => {
    const error = await collect(troupe.prompts.stream(randomUUID())).catch((failure: unknown) => failure)
    expect(error).to.be.instanceOf(TroupeError).and.have.property('status', 404)
  })

  it('yields each system event once, including those during a cut of the network', async () => {
    const seen: number[] = []
    const states: string[] = []
    const leaving = new AbortController()
    const { signal } = leaving
    const reading = (async () => {
      for await (const { id } of troupe.events({ signal, onConnection: ({ status }) => states.push(status) }))
        seen.push(id)
    })().catch(() => {})
    await eventually(
      async () => states,
      (all) => all.includes('open'),
    )
    proxy.cut()
    const { batch_id, task_ids } = await direct.batches.submit('instant', { tasks: Array(50).fill({ n: 1 }) })
    await direct.batches.wait(batch_id)
    proxy.mend()
    const expected = await idsOf(task_ids)
    await eventually(
      async () => seen.length,
      () => expected.every((id) => seen.includes(id)),
    )
    leaving.abort()
    await reading
    expect(new Set(seen).size).to.equal(seen.length)
  })
})
