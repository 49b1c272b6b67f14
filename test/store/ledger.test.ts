import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { createLog } from '../../log.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { cancelExecutions } from '../../store/cancel-tasks.ts'
import { createLedger, type Ledger } from '../../store/ledger/ledger.ts'
import type { EventDraft, LedgerEntry } from '../../store/ledger/entry.ts'
import { spending } from '../support/spending.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { dropOwnStore, openOwnStore } from '../support/own-store.ts'

describe('The ledger', function () {
  this.timeout(60_000)
  let store: Store
  let ledgers: Ledger[]
  const log = createLog('test', 'silent')

  before(async () => {
    store = await openOwnStore()
    const options = { store, log, tracing: true, timeoutMs: 10_000 }
    ledgers = [createLedger(options), createLedger(options), createLedger(options)]
  })
  after(() => dropOwnStore(store))

  const draft = (text: string, more: Partial<EventDraft> = {}): EventDraft => ({
    type: 'tool_call',
    agent: 'a',
    parent: null,
    payload: JSON.stringify({ text }),
    at: new Date(),
    ...more,
  })
  const entry = (jobId: string, path: string, events: EventDraft[] = [draft(path)]): LedgerEntry => ({
    jobId,
    batchId: undefined,
    path,
    events,
  })
  const newExecution = async (batchId?: string): Promise<string> => {
    const task = batchId === undefined ? {} : { batch_id: batchId, batch_index: 0 }
    const execution = buildExecution(task)
    await storeExecutions(store, [execution])
    return execution._id
  }

  it('writes a step once, whoever comes with it, and tells the others its id', async () => {
    const job = await newExecution()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (ledgers[index % 3] as Ledger).append(entry(job, 'same'))),
    )
    expect(answers.filter(({ inserted }) => inserted)).to.have.length(1)
    expect(new Set(answers.map(({ traceId }) => traceId)).size).to.equal(1)
    expect(await store.traces.countDocuments({ job_id: job })).to.equal(1)
  })

  it('puts a cancel below the latest start of the run, even if the canceling process has not seen the start', async () => {
    const [begun, waiting] = [await newExecution(), await newExecution()]
    const seen = await store.executions.find({ _id: { $in: [begun, waiting] } }).toArray()
    const start = async (path: string): Promise<number | undefined> => {
      const take = { from: null, take: { n: 1, worker: 'w', lost: 0, records: 0 } }
      const { path: _path, ...begin } = entry(begun, '', [draft('', { type: 'task_start' })])
      const writer = { path, attempt: randomUUID() }
      return (await (ledgers[0] as Ledger).append({ ...begin, writer, take, startedAt: new Date() })).traceId
    }
    await start('0')
    const latest = await start('1')
    await start('1>m00000.c000')
    await cancelExecutions({ ledger: ledgers[1] as Ledger }, seen)
    const requested = await store.traces
      .find({ job_id: { $in: [begun, waiting] }, event_type: 'task_cancel_requested' })
      .toArray()
    expect(new Map(requested.map(({ job_id, parent_id }) => [job_id, parent_id]))).to.deep.equal(
      new Map([
        [begun, latest],
        [waiting, null],
      ]),
    )
  })

  it('makes ids visible in their order, with several processes writing', async () => {
    const job = await newExecution()
    const seen: number[] = []
    const stream = store.traces.watch([{ $match: { operationType: 'insert', 'fullDocument.job_id': job } }])
    const done = (async () => {
      for await (const change of stream) {
        if (change.operationType === 'insert') seen.push(change.fullDocument._id)
        if (seen.length === 600) return
      }
    })()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await Promise.all(
      Array.from({ length: 600 }, (_, index) => (ledgers[index % 3] as Ledger).append(entry(job, `step-${index}`))),
    )
    await done
    await stream.close()
    expect(seen).to.deep.equal([...seen].sort((a, b) => a - b))
    expect(new Set(seen).size).to.equal(600)
  })

  it('resolves parents inside a group and across a retry', async () => {
    const job = await newExecution()
    const ledger = ledgers[0] as Ledger
    const start = { id: null }
    await Promise.all([
      ledger.append(entry(job, 'start', [draft('start', { reference: start })])),
      ledger.append(entry(job, 'child', [draft('child', { parent: start })])),
    ])
    const again = { id: null }
    await Promise.all([
      ledger.append(entry(job, 'start', [draft('start', { reference: again })])),
      ledger.append(entry(job, 'second', [draft('second', { parent: again })])),
    ])
    const traces = await store.traces.find({ job_id: job }).sort({ _id: 1 }).toArray()
    expect(traces.map(({ parent_id }) => parent_id)).to.deep.equal([null, traces[0]?._id, traces[0]?._id])
    expect(again.id).to.equal(traces[0]?._id)
  })

  it('lets the first end win, and adds a batch up exactly', async () => {
    const batch = randomUUID()
    await store.batches.insertOne({
      _id: batch,
      agent_name: 'a',
      status: 'running',
      task_count: 20,
      succeeded: 0,
      failed: 0,
      created_at: new Date(),
      completed_at: null,
    })
    const jobs = await Promise.all(Array.from({ length: 20 }, () => newExecution(batch)))
    const finish = (status: 'completed' | 'canceled') => ({
      status,
      outputs: null,
      error: null,
      latencyMs: 5,
      at: new Date(),
    })
    await Promise.all(
      jobs.flatMap((job, index) => [
        (ledgers[index % 3] as Ledger).append({
          ...entry(job, 'end', []),
          batchId: batch,
          finish: finish('completed'),
        }),
        (ledgers[(index + 1) % 3] as Ledger).append({
          ...entry(job, 'end', []),
          batchId: batch,
          finish: finish('canceled'),
        }),
      ]),
    )
    const ended = await store.batches.findOne({ _id: batch })
    const canceled = await store.executions.countDocuments({ batch_id: batch, status: 'canceled' })
    expect(ended).to.include({ status: 'completed', failed: canceled, succeeded: 20 - canceled })
    expect(ended?.completed_at).to.be.instanceOf(Date)
  })

  it('does not stand still when an attempt writes in the moment in which its execution comes to rest', async () => {
    for (const order of [0, 1]) {
      const job = await newExecution()
      const ledger = ledgers[0] as Ledger
      const writer = { path: '0', attempt: 'a1' }
      const take = { from: null, take: { n: 1, worker: 'w', lost: 0, records: 0 } }
      const { path: _path, ...begin } = { ...entry(job, ''), writer, take, startedAt: new Date() }
      await ledger.append(begin)
      const { path: _, ...release } = { ...entry(job, ''), events: [], writer, releases: true }
      const stopped = { ...entry(job, 'stopped'), stoppedAt: new Date() }
      const step = { ...entry(job, '0.m00000'), writer }
      const group = order === 0 ? [stopped, release, step] : [step, stopped, release]
      await Promise.all(group.map((each) => ledger.append(each)))
      expect((await store.executions.findOne({ _id: job }))?.completed_at).to.be.a('date')
      // From then on nothing is written for it.
      expect(await ledger.append({ ...entry(job, '0.m00001'), writer })).to.include({
        inserted: false,
        overtaken: true,
      })
    }
  })

  it('counts what it writes in the same moment', async () => {
    const job = await newExecution()
    const before = await store.counters.findOne({ _id: 'ledger' })
    await (ledgers[0] as Ledger).append({
      ...entry(job, 'used', [draft('x', { type: 'llm_usage', agent: 'a.b$c' })]),
      usage: spending({ model: 'm.1$', prompt_tokens: 3, completion_tokens: 4 }),
    })
    const after = await store.counters.findOne({ _id: 'ledger' })
    expect((after?.total_tokens ?? 0) - (before?.total_tokens ?? 0)).to.equal(7)
    expect(after?.agents?.['a%2Eb%24c']?.trace_count).to.equal(1)
    const execution = await store.executions.findOne({ _id: job })
    expect(Object.values(execution?.usage ?? {})).to.deep.equal([
      spending({ model: 'm.1$', prompt_tokens: 3, completion_tokens: 4 }),
    ])
  })

  describe('that meets an error', () => {
    /** The store, with a collection one of whose methods throws at its first call. */
    const stumbling = (name: 'steps' | 'executions', method: 'insertMany' | 'find', error: Error): Store => {
      let calls = 0
      const call = (...given: unknown[]): unknown => {
        calls += 1
        if (calls === 1) throw error
        return (store[name][method] as (...arguments_: unknown[]) => unknown)(...given)
      }
      return { ...store, [name]: Object.create(store[name], { [method]: { value: call } }) as Store[typeof name] }
    }
    const ledgerOn = (stumblingStore: Store) =>
      createLedger({ store: stumblingStore, log, tracing: true, timeoutMs: Infinity })

    it('tries a lone entry again, whatever it was', async () => {
      const job = await newExecution()
      const ledger = ledgerOn(stumbling('steps', 'insertMany', new Error('nobody knows this one')))
      expect(await ledger.append(entry(job, 'only'))).to.include({ inserted: true })
      expect(await store.traces.countDocuments({ job_id: job })).to.equal(1)
    })

    it('gives up an entry that cannot be written, and writes the others', async () => {
      const job = await newExecution()
      const ledger = ledgers[0] as Ledger
      const unwritable = { ...entry(job, 'bad'), result: { json: 'x'.repeat(17_000_000) } }
      const [bad, good] = await Promise.allSettled([ledger.append(unwritable), ledger.append(entry(job, 'good'))])
      expect([bad.status, good.status]).to.deep.equal(['rejected', 'fulfilled'])
    })

    it('sorts out what was recorded before when MongoDB is back', async () => {
      const away = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
      const job = await newExecution()
      const first = await (ledgers[0] as Ledger).append(entry(job, 'same'))
      const again = await ledgerOn(stumbling('steps', 'find', away)).append(entry(job, 'same'))
      expect(again).to.deep.equal({ inserted: false, overtaken: false, traceId: first.traceId })
    })

    it('sorts out what has gone when MongoDB is back', async () => {
      const away = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
      const gone = await ledgerOn(stumbling('executions', 'find', away)).append(entry(randomUUID(), 'gone'))
      expect(gone).to.include({ inserted: false, overtaken: true })
    })
  })
})
