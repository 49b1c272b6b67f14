import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '../support/certificates.ts'
import { startApi } from '../support/processes.ts'
import { eventually, request } from '../support/service.ts'
import { sharedStack } from '../support/stack.ts'
import { startTlsFront, type TlsFront, type TlsFrontOptions } from '../support/tls-front.ts'
import { startClusterScene, type ClusterScene } from './scene.ts'

describe('Servers that speak TLS only', function () {
  this.timeout(600_000)
  let folder: string
  const fronts: TlsFront[] = []
  let scene: ClusterScene

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-tls-'))
    const certificates = await makeCertificates(folder)
    const { authority, client } = certificates
    const stack = sharedStack()
    const front = async (address: string | undefined, options: TlsFrontOptions = {}): Promise<number> => {
      const started = await startTlsFront(portOf(address), certificates, options)
      fronts.push(started)
      return started.port
    }
    const temporal = await front(stack.TEMPORAL_ADDRESS, { protocols: ['h2'], asksClients: true })
    const mongod = await front(stack.MONGODB_URI)
    const s3 = await front(stack.S3_ENDPOINT)
    scene = await startClusterScene({
      apis: 1,
      workers: 1,
      servers: {
        ...stack,
        TEMPORAL_ADDRESS: `127.0.0.1:${temporal}`,
        TEMPORAL_TLS_CA: authority,
        TEMPORAL_TLS_CERT: client.certificate,
        TEMPORAL_TLS_KEY: client.key,
        MONGODB_URI: `mongodb://127.0.0.1:${mongod}/?directConnection=true&tls=true&tlsCAFile=${encodeURIComponent(authority)}`,
        S3_ENDPOINT: `https://127.0.0.1:${s3}`,
        // Node reads it itself.
        NODE_EXTRA_CA_CERTS: authority,
        // Whatever has content is kept in S3.
        RESPONSE_OFFLOAD_BYTES: '0',
      },
    })
  })
  after(async () => {
    await scene.stop()
    await Promise.all(fronts.map(({ close }) => close()))
    await rm(folder, { recursive: true, force: true })
  })

  const get = (path: string) => request(scene.apis[0]?.url ?? '', 'GET', path)

  it('are all used: a prompt runs, and its response is stored in and read from S3', async () => {
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

/** The port in an address, with or without a scheme. */
function portOf(address = ''): number {
  return Number(/:(\d+)/.exec(address)?.[1])
}

/** An environment that lacks some variables, or options of MongoDB's address. */
function without(env: Record<string, string>, names: readonly string[]): Record<string, string> {
  const left = Object.entries(env).filter(([name]) => !names.includes(name))
  const address = new URL(env.MONGODB_URI ?? '')
  for (const name of names) address.searchParams.delete(name)
  return { ...Object.fromEntries(left), MONGODB_URI: address.href }
}
