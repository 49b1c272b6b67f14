import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Troupe, TroupeError } from '../../client/index.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { startTestService, type TestService } from '../support/service.ts'

const KEY = 'a-key-of-the-test'

describe('Client: calls', () => {
  let service: TestService
  let proxy: Proxy
  let troupe: Troupe
  before(async () => {
    service = await startTestService({ env: { SERVICE_API_KEY: KEY } })
    proxy = await startProxy(service.api.port)
    troupe = new Troupe({ url: service.api.url, key: KEY })
  })
  after(async () => {
    await proxy?.close()
    await service?.stop()
  })

  const failureOf = (call: Promise<unknown>): Promise<TroupeError> =>
    call.then(
      () => expect.fail('it should have failed'),
      (error: unknown) => {
        expect(error).to.be.instanceOf(TroupeError)
        return error as TroupeError
      },
    )

  /** A `fetch` behind a load balancer that responds with these statuses first. */
  function refusingFetch(statuses: number[], retryAfterSeconds: string) {
    const seen: { at: number; key: string | null }[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      seen.push({ at: performance.now(), key: new Headers(init?.headers).get('idempotency-key') })
      const status = statuses.shift()
      if (status === undefined) return globalThis.fetch(input, init)
      const headers = { 'retry-after': retryAfterSeconds }
      return Promise.resolve(new Response('<h1>Busy</h1>', { status, headers }))
    }
    return { fetch, seen }
  }

  it('runs an agent and a chain, and resolves with how they ended', async () => {
    const run = await troupe.prompts.run({ prompt_name: 'upper', inputs: { text: 'loud' } })
    expect(run).to.deep.include({ status: 'completed', outputs: { result: 'LOUD' }, error: null })
    const { prompt_id, agents } = await troupe.prompts.chain(['upper', 'instant'], { text: 'on' })
    expect(agents).to.deep.equal(['upper', 'instant'])
    expect((await troupe.prompts.wait(prompt_id)).outputs).to.deep.equal({ input: 'ON', text: 'ON' })
    const failed = await troupe.prompts.run({ prompt_name: 'failing', inputs: { message: 'no luck' } })
    expect(failed).to.deep.include({ status: 'failed', error: 'no luck' })
  })

  it('gets an agent, its tools, and its response to a message', async () => {
    const names: string[] = []
    for await (const { name } of troupe.agents.list()) names.push(name)
    expect(names).to.include.members(['stepper', 'instant'])
    const { tools } = await troupe.agents.tools('stepper')
    expect(tools.map(({ name }) => name)).to.deep.equal(['one', 'two', 'three'])
    const answer = await troupe.agents.chat('instant', 'hello')
    expect(answer).to.deep.include({ status: 'completed', response: { message: 'hello' } })
  })

  it('runs a job, runs it again, and gives the stored result', async () => {
    const job = await troupe.jobs.run({ pipeline_name: 'instant', inputs: { n: 7 } })
    expect(job).to.deep.include({ status: 'success', result: { n: 7 } })
    const again = await troupe.jobs.replay(job.job_id, { reexecute: true })
    expect(again).to.deep.include({ status: 'success', result: { n: 7 }, replay_of: job.job_id })
    expect(await troupe.jobs.replay(job.job_id)).to.deep.include({ status: 'completed', result: { n: 7 } })
    expect(await troupe.jobs.response(job.job_id)).to.deep.include({ offloaded: false, data: { n: 7 } })
    expect((await troupe.health()).status).to.equal('ok')
    expect((await troupe.metrics()).completed_jobs).to.be.at.least(2)
  })

  it('cancels a running execution, and reports one that has already ended', async () => {
    const { prompt_id } = await troupe.prompts.create({ prompt_name: 'patient', inputs: {} })
    expect(await troupe.prompts.cancel(prompt_id)).to.deep.include({ ok: true, status: 'canceled' })
    const ended = await troupe.prompts.run({ prompt_name: 'instant', inputs: {} })
    expect(await troupe.jobs.cancel(ended.prompt_id)).to.deep.include({ ok: false, status: 'completed' })
  })

  it('iterates a list over its pages, each item once', async () => {
    const { batch_id, task_ids } = await troupe.batches.submit('instant', { tasks: Array(25).fill({ n: 1 }) })
    await troupe.batches.wait(batch_id)
    const seen: string[] = []
    for await (const { job_id } of troupe.jobs.list({ limit: 4 })) seen.push(job_id)
    expect(new Set(seen).size).to.equal(seen.length)
    expect(seen).to.include.members(task_ids)
    const page = await troupe.jobs.list().page({ limit: 3 })
    expect(page.items.map(({ job_id }) => job_id)).to.deep.equal(seen.slice(0, 3))
    expect(page.total).to.be.at.least(25)
    const next = await troupe.jobs.list().page({ limit: 3, cursor: page.nextCursor ?? '' })
    expect(next.items.map(({ job_id }) => job_id)).to.deep.equal(seen.slice(3, 6))
  })

  it('iterates by offset where a service gives no cursor', async () => {
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { next_cursor: _, ...older } = (await (await globalThis.fetch(input, init)).json()) as object & {
        next_cursor?: unknown
      }
      return Response.json(older)
    }
    const { total } = await troupe.jobs.list().page({ limit: 1 })
    const seen = new Set<string>()
    for await (const { job_id } of new Troupe({ url: service.api.url, key: KEY, fetch }).jobs.list({ limit: 7 })) {
      seen.add(job_id)
    }
    expect(seen.size).to.equal(total)
  })

  it('throws the error of the service with its status and request id', async () => {
    const unknown = await failureOf(troupe.prompts.get(randomUUID()))
    expect(unknown).to.deep.include({ reason: 'response', status: 404, retryable: false })
    expect(unknown.detail).to.be.a('string').and.not.equal('')
    expect(unknown.requestId).to.match(/^[\w-]+$/)
    const wrongKey = new Troupe({ url: service.api.url, key: 'wrong' })
    expect(await failureOf(wrongKey.health())).to.include({ status: 401, detail: 'Invalid or missing API key' })
    const wrongBody = troupe.prompts.create({ prompt_name: '', inputs: {} })
    expect((await failureOf(wrongBody)).status).to.equal(400)
  })

  it('fails a stream with a wrong key instead of retrying for ever', async () => {
    const wrongKey = new Troupe({ url: service.api.url, key: 'wrong' })
    const next = wrongKey.prompts.stream(randomUUID()).next()
    expect((await failureOf(next)).status).to.equal(401)
  })

  it('says which address cannot be reached', async () => {
    const gone = await startProxy(service.api.port)
    await gone.close()
    const url = `http://127.0.0.1:${gone.port}`
    const nobody = new Troupe({ url, retries: 0 })
    const failure = await failureOf(nobody.health())
    expect(failure).to.include({ reason: 'unreachable', status: null, retryable: true })
    expect(failure.detail).to.include(url).and.include('ECONNREFUSED')
  })

  it('waits as long as Retry-After says, and repeats a submission with the same key', async () => {
    const { fetch, seen } = refusingFetch([503, 429], '1')
    const busy = new Troupe({ url: service.api.url, key: KEY, fetch })
    const { prompt_id } = await busy.prompts.create({ prompt_name: 'instant', inputs: {} })
    expect((await troupe.prompts.wait(prompt_id)).status).to.equal('completed')
    expect(seen).to.have.length(3)
    expect(new Set(seen.map(({ key }) => key)).size).to.equal(1)
    const [first, second, third] = seen.map(({ at }) => at) as [number, number, number]
    expect(second - first).to.be.at.least(990)
    expect(third - second).to.be.at.least(990)
  })

  it('gives up after the configured number of retries', async () => {
    const { fetch, seen } = refusingFetch([503, 503, 503], '0')
    const busy = new Troupe({ url: service.api.url, key: KEY, fetch, retries: 1 })
    const failure = await failureOf(busy.health())
    expect(failure).to.include({ status: 503, retryable: true })
    expect(failure.detail).to.include('503')
    expect(seen).to.have.length(2)
  })

  it('starts one execution when the network is cut during the submission', async () => {
    const marker = randomUUID()
    const cut = new Troupe({ url: `http://127.0.0.1:${proxy.port}`, key: KEY })
    proxy.cut()
    setTimeout(() => proxy.mend(), 500)
    const submitted = cut.prompts.create({ prompt_name: 'instant', inputs: { marker } })
    const { prompt_id } = await submitted
    await troupe.prompts.wait(prompt_id)
    expect(await service.store.executions.countDocuments({ 'inputs.json': { $regex: marker } })).to.equal(1)
  })

  it('rejects an aborted call with the reason of the signal', async () => {
    const reason = new Error('the page was left')
    const failure = await troupe.jobs
      .run({ pipeline_name: 'slow', inputs: { ms: 2_000 } }, { signal: AbortSignal.timeout(50) })
      .catch((error: unknown) => error)
    expect(failure).to.have.property('name', 'TimeoutError')
    const aborted = await troupe.health({ signal: AbortSignal.abort(reason) }).catch((error: unknown) => error)
    expect(aborted).to.equal(reason)
  })
})
