import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from '../support/processes.ts'
import { eventually, request, TEST_AGENTS } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const OF_THE_MANY = 240
const OF_THE_FEW = 24

describe('API keys share the workers', function () {
  this.timeout(240_000)
  let folder: string
  let env: Record<string, string>
  let api: ApiProcess
  let worker: ServiceProcess | undefined
  let store: Store

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-fair-'))
    const file = join(folder, 'keys.json')
    const keys = [
      { name: 'many', key: 'many-key', role: 'submit' },
      { name: 'few', key: 'few-key', role: 'submit', weight: 2 },
    ]
    await writeFile(file, JSON.stringify(keys))
    const keyed = { API_KEYS_FILE: file, SERVICE_API_KEY: 'environment' }
    env = { ...isolated(sharedStack()), ...keyed, AGENTS_DIR: TEST_AGENTS, TEST_FOLDER: folder }
    store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
    api = await startApi({ env })
    // A worker that was there makes the agents known.
    await (await startWorker({ env })).stop()
  })
  after(async () => {
    await Promise.all([api.stop(), worker?.stop()])
    await store.db.dropDatabase()
    await store.close()
    await rm(folder, { recursive: true })
  })

  async function submit(key: string, count: number): Promise<void> {
    const prompt = { prompt_name: 'instant', inputs: {} }
    const one = () => request(api.url, 'POST', '/api/prompts', prompt, { 'x-api-key': key })
    const answers = await Promise.all(Array.from({ length: count }, one))
    for (const { status } of answers) expect(status).to.equal(200)
  }

  it('so that few prompts of one key do not wait behind many of another', async () => {
    await submit('many-key', OF_THE_MANY)
    await submit('few-key', OF_THE_FEW)
    worker = await startWorker({ env })
    const all = OF_THE_MANY + OF_THE_FEW
    await eventually(
      () => store.executions.countDocuments({ status: 'completed' }),
      (ended) => ended === all,
      120_000,
    )
    const byStart = await store.executions.find().sort({ started_at: 1 }).toArray()
    const lastOfFew = byStart.findLastIndex(({ submitted_by }) => submitted_by === 'few')
    // By their weights they would be through after 36 starts; without turns, only after all the others.
    expect(lastOfFew).to.be.below(all / 2)
    expect(byStart.find(({ submitted_by }) => submitted_by === 'few')?.weight).to.equal(2)
    expect(byStart.find(({ submitted_by }) => submitted_by === 'many')).not.to.have.property('weight')
  })
})
