import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster, type Cluster } from '../../dev/cluster/start-cluster.ts'
import { saySilently } from '../../dev/say.ts'
import { startApi } from '../support/processes.ts'
import { eventually, request } from '../support/service.ts'
import { startClusterScene, type ClusterScene } from './scene.ts'

describe('Servers that speak TLS only', function () {
  this.timeout(600_000)
  let dataDir: string
  let cluster: Cluster
  let scene: ClusterScene

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'troupe-tls-'))
    cluster = await startCluster({ dataDir, say: saySilently, tls: true })
    // Whatever has content is kept in S3.
    const servers = { ...cluster.environment, RESPONSE_OFFLOAD_BYTES: '0' }
    scene = await startClusterScene({ apis: 1, workers: 1, servers })
  })
  after(async () => {
    await scene.stop()
    await cluster.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const get = (path: string) => request(scene.apis[0]?.url ?? '', 'GET', path)

  it('are all reached: a prompt runs, its answer lies in S3 and comes back from there', async () => {
    expect((await get('/api/health')).body.status).to.equal('ok')
    const [id = ''] = await scene.prompts(1, 'talker')
    const { body } = await scene.ended(id)
    expect(body).to.deep.include({ status: 'completed', outputs: { result: 'all noted' } })
    const { body: resolved } = await get(`/api/responses/${id}/resolved`)
    expect(resolved).to.include({ offloaded: true })
    expect(resolved.pointer.key).to.match(/^responses\//)
  })

  for (const [server, missing] of [
    ['Temporal', ['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY']],
    ['S3', ['NODE_EXTRA_CA_CERTS']],
    ['MongoDB', ['tls', 'tlsCAFile']],
  ] as const) {
    it(`are not reached without ${missing.join(' and ')}: health says so (${server})`, async () => {
      const env = without(scene.env, missing)
      const api = await startApi({ env })
      try {
        const { body } = await eventually(
          () => request(api.url, 'GET', '/api/health'),
          (answer) => answer.status === 200,
        )
        expect(body.status).to.equal('degraded')
      } finally {
        await api.stop()
      }
    })
  }
})

/** An environment that lacks some variables, or options of MongoDB's address. */
function without(env: Record<string, string>, names: readonly string[]): Record<string, string> {
  const left = Object.entries(env).filter(([name]) => !names.includes(name))
  const address = new URL((env.MONGODB_URI ?? '').replace('mongodb://', 'http://').replace(/,[^/]+/, ''))
  for (const name of names) address.searchParams.delete(name)
  const hosts = (env.MONGODB_URI ?? '').slice('mongodb://'.length).split('/')[0]
  return { ...Object.fromEntries(left), MONGODB_URI: `mongodb://${hosts}/?${address.searchParams}` }
}
