import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../streams/client.ts'
import { startReplicaSet, type ReplicaSet } from '../support/replica-set.ts'
import { eventually, request } from '../support/service.ts'
import { sharedStack } from '../support/stack.ts'
import { startClusterScene, type ClusterScene } from './scene.ts'

const TASKS = 1_000
const ROUNDS = 3

describe('When the MongoDB primary is killed under load, the service', function () {
  this.timeout(600_000)
  let dataDir: string
  let replicaSet: ReplicaSet
  let scene: ClusterScene

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'troupe-primary-'))
    replicaSet = await startReplicaSet(dataDir)
    const servers = { ...sharedStack(), MONGODB_URI: replicaSet.uri }
    scene = await startClusterScene({ apis: 2, workers: 2, servers })
  })
  after(async () => {
    await scene.stop()
    await replicaSet.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('loses no accepted work, records nothing twice, and misses no event in a stream', async () => {
    const batch = `batch-${randomUUID()}`
    const tasks = Array.from({ length: TASKS }, () => ({}))
    await accepted(0, '/api/agents/general/batch', { tasks, batch_id: batch })
    const streams = scene.apis.map(({ wsUrl }) => new Client(`${wsUrl}/ws/batches/${batch}`))
    let killing = true
    const submitting = submitWhile(() => killing)
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(2_000)
      const primary = await replicaSet.primary()
      await primary.managed.kill()
      const next = await replicaSet.primary()
      expect(next.port).to.not.equal(primary.port)
      await sleep(2_000)
      await primary.managed.start()
    }
    killing = false
    const prompts = await submitting
    expect(prompts.length).to.be.greaterThan(5)

    for (const id of prompts) expect((await scene.ended(id)).body).to.include({ status: 'completed', error: null })
    const { body } = await eventually(
      () => request(scene.apis[0]?.url ?? '', 'GET', `/api/batches/${batch}`),
      (answer) => answer.body.status === 'completed',
      240_000,
    )
    const summary = { total_expected: TASKS, recorded: TASKS, succeeded: TASKS, failed: 0 }
    expect(body.outputs.summary).to.deep.equal(summary)
    await eachStepOnce(prompts, batch)
    await streamsAreWhole(streams, batch)
  })

  async function eachStepOnce(prompts: string[], batch: string): Promise<void> {
    const count = (filter: object) => scene.store.traces.countDocuments(filter)
    for (const id of prompts) {
      expect(await count({ job_id: id, event_type: 'llm_usage' })).to.equal(13)
      expect(await count({ job_id: id, event_type: 'tool_call' })).to.equal(12)
      for (const type of ['task_start', 'task_complete'] as const) {
        expect(await count({ job_id: id, event_type: type })).to.equal(1)
      }
    }
    for (const type of ['task_start', 'task_complete'] as const) {
      expect(await count({ batch_id: batch, event_type: type })).to.equal(TASKS)
    }
  }

  /** Each socket that was open all the time got every event of the batch, once and in order. */
  async function streamsAreWhole(streams: Client[], batch: string): Promise<void> {
    const stored = await scene.store.traces.find({ batch_id: batch }).sort({ _id: 1 }).toArray()
    for (const stream of streams) {
      await stream.complete()
      const ids = stream.spans.map(({ id }) => id)
      expect(ids).to.have.length(stored.length)
      expect(ids.toSorted((a, b) => a - b)).to.deep.equal(stored.map(({ _id: id }) => id))
      stream.leave()
    }
  }

  async function submitWhile(goesOn: () => boolean): Promise<string[]> {
    const ids: string[] = []
    for (let turn = 0; goesOn(); turn += 1) {
      const body = await accepted(turn % 2, '/api/prompts', { prompt_name: 'talker', inputs: {} })
      ids.push(body.prompt_id as string)
      await sleep(200)
    }
    return ids
  }

  /** A submission as a client makes it: with a key, and again while the service cannot take it. */
  async function accepted(api: number, path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'idempotency-key': randomUUID() }
    const url = scene.apis[api]?.url ?? ''
    const answer = await eventually(
      () => request(url, 'POST', path, body, headers),
      ({ status }) => status !== 503,
      120_000,
    )
    expect(answer.status).to.equal(200)
    return answer.body
  }
})
