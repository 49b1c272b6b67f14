import { expect } from 'chai'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { startMongod, type PrivateMongod } from '../streams/private-mongod.ts'
import { startApi, type ApiProcess } from '../support/processes.ts'

const LISTS = [
  '/api/prompts?',
  '/api/jobs?',
  '/api/jobs?status=running&',
  '/api/batches?',
  '/api/traces?',
  '/api/traces?job_id=none&',
  '/api/traces/grouped?',
  '/api/batches/one/tasks?',
]

/** MongoDB ends every query that has a bound in time, and serves the others. */
describe('Pages with large offsets that MongoDB cannot read in time', () => {
  let mongod: PrivateMongod
  let store: Store
  let api: ApiProcess

  const failPoint = (mode: 'alwaysOn' | 'off') =>
    store.client.db('admin').command({ configureFailPoint: 'maxTimeAlwaysTimeOut', mode })
  const get = async (path: string) => {
    const response = await fetch(`${api.url}${path}`)
    return { response, body: (await response.json()) as { detail?: string } }
  }

  before(async function () {
    this.timeout(120_000)
    mongod = await startMongod()
    const database = 'far-pages'
    store = connectStore({ uri: mongod.uri, database, appName: 'test' })
    const nowhere = { TEMPORAL_ADDRESS: '127.0.0.1:1', S3_ENDPOINT: 'http://127.0.0.1:1' }
    const credentials = { AWS_ACCESS_KEY_ID: 'unused', AWS_SECRET_ACCESS_KEY: 'unused' }
    const env = { ...nowhere, ...credentials, MONGODB_URI: mongod.uri, MONGODB_DATABASE: database }
    api = await startApi({ env })
    const at = new Date()
    const counts = { task_count: 0, succeeded: 0, failed: 0, portions: 0 }
    await store.batches.insertOne({
      ...{ _id: 'one', agent_name: 'nobody', status: 'completed', ...counts },
      ...{ created_at: at, completed_at: at },
    })
  })

  after(async () => {
    await api?.stop()
    await store?.close()
    await mongod?.stop()
  })

  it('return 503 with a hint, and end the query', async () => {
    await failPoint('alwaysOn')
    try {
      for (const list of LISTS) {
        const { response, body } = await get(`${list}offset=1000000000`)
        expect(response.status, list).to.equal(503)
        expect(body.detail, list).to.match(/cursor instead of a large offset/)
        expect(response.headers.get('retry-after'), list).to.match(/^\d+$/)
      }
      expect((await get('/api/jobs/unknown')).response.status).to.equal(404)
    } finally {
      await failPoint('off')
    }
  })

  it('can be read later, and are empty beyond the end of the list', async () => {
    for (const list of LISTS) {
      const { response } = await get(`${list}offset=1000000000`)
      expect(response.status, list).to.equal(200)
    }
  })
})
