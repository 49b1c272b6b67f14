import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'

const MANY = 400
/** One range: all of them wait in one worker. */
const FEW = 60
const WORKERS = 3

describe('API keys share the account of a provider', function () {
  this.timeout(240_000)
  let folder: string
  let provider: ProviderServer
  let service: TestService
  let others: ServiceProcess[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-keys-'))
    provider = await startProviderServer(() => ({ text: 'let in', firstTokenMs: 200 }))
    const file = join(folder, 'keys.json')
    const keys = ['many', 'few'].map((name) => ({ name, key: `key-of-${name}`, role: 'submit' }))
    await writeFile(file, JSON.stringify(keys))
    const LIMITS = JSON.stringify({ 'openai-compatible': { rpm: 600 } })
    const keyed = { API_KEYS_FILE: file, SERVICE_API_KEY: 'environment' }
    const env = { LIMITS, ...keyed, OPENAI_COMPATIBLE_BASE_URL: provider.url }
    service = await startTestService({ env })
    others = await Promise.all(Array.from({ length: WORKERS - 1 }, () => startWorker({ env: service.env })))
  })
  after(async () => {
    await Promise.all([service?.stop(), ...others.map((worker) => worker.stop())])
    await provider?.close()
    await rm(folder, { recursive: true })
  })

  const submit = async (name: string, count: number): Promise<void> => {
    const tasks = Array.from({ length: count }, (_, index) => ({ query: `task ${index} of ${name}` }))
    const headers = { 'x-api-key': `key-of-${name}` }
    const { status, body } = await service.request('POST', '/api/agents/provider/batch', { tasks }, headers)
    expect(status, JSON.stringify(body)).to.equal(200)
  }
  const callsOf = (name: string): number[] =>
    provider.requests.flatMap(({ body, at }) =>
      JSON.stringify(body.messages).includes(`of ${name}`) ? [at.getTime()] : [],
    )

  it('fairly, even if the tasks of one key wait in one worker and those of the other in all workers', async () => {
    await submit('many', MANY)
    const until = (name: string, count: number) =>
      eventually(
        () => Promise.resolve(callsOf(name).length),
        (calls) => calls >= count,
        120_000,
      )
    await until('many', 30)
    await submit('few', FEW)
    await until('few', FEW)
    const few = callsOf('few').toSorted((one, other) => one - other)
    const [from = 0, to = 0] = [few[0], few.at(-1)]
    const beside = callsOf('many').filter((at) => at >= from && at <= to).length
    expect(FEW / (FEW + beside), `${beside} calls of the others beside ${FEW}`).to.be.within(0.4, 0.65)
  })
})
