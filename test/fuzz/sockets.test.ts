import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Client } from '../streams/client.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { fuzzSockets } from './sockets.ts'

const MS = Number(process.env.FUZZ_SECONDS ?? 8) * 1_000
const LANES = 16
/** Between two prompts of the healthy clients. */
const PAUSE_MS = 100
const GROWTH_MB = 200

describe('Hostile WebSocket clients', function () {
  this.timeout(MS + 120_000)
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  const sockets = async (): Promise<number> => (await readdir(`/proc/${service.api.pid}/fd`)).length
  const megabytes = async (): Promise<number> =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${service.api.pid}/status`, 'utf8'))?.[1]) / 1_024

  it('are rejected as documented, leak nothing, and affect nobody else', async () => {
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
    const events = new Client(`${service.api.wsUrl}/ws/events`)
    await events.opened()
    const ids = [(await prompt()).id]
    const [socketsBefore, before, pid] = [await sockets(), await megabytes(), service.api.pid]
    let isOver = false
    const healthy = (async () => {
      while (!isOver) {
        const { id, spans } = await prompt()
        ids.push(id)
        expect(spans).to.deep.equal(['task_start', 'task_complete'])
        await sleep(PAUSE_MS)
      }
    })()
    const { violations, seen } = await fuzzSockets({
      port: service.api.port,
      seed,
      ms: MS,
      lanes: LANES,
      ids: () => ids.slice(-5),
    })
    isOver = true
    await healthy
    expect(violations, `seed ${seed}`).to.deep.equal([])
    expect(service.api.pid).to.equal(pid)
    expect(Object.keys(seen).length, JSON.stringify(seen)).to.be.greaterThan(20)
    const stored = await service.store.traces.find({ job_id: { $in: ids } }, { projection: { _id: 1 } }).toArray()
    expect(stored).to.have.length(2 * ids.length)
    await events.until((client) => client.events.length >= stored.length)
    expect(events.events.map(({ id }) => id)).to.deep.equal(stored.map(({ _id }) => _id).sort((a, b) => a - b))
    await eventually(sockets, (count) => count <= socketsBefore + 5, 60_000)
    expect(await megabytes()).to.be.lessThan(before + GROWTH_MB)
    expect(await service.api.logs()).not.to.match(/"level":(50|60)/)
    events.leave()
    await events.closed
  })

  /** A client that does what clients do. */
  async function prompt(): Promise<{ id: string; spans: string[] }> {
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: {} })
    const id = body.prompt_id as string
    const client = new Client(`${service.api.wsUrl}/ws/prompts/${id}`)
    await client.complete()
    client.leave()
    await client.closed
    return { id, spans: client.spans.map(({ event_type }) => event_type) }
  }
})
