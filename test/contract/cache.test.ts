import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { untilEnded, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

const AGENTS = fileURLToPath(new URL('./agents', import.meta.url))

describe('The cache', function () {
  this.timeout(120_000)
  let service: TestService
  let provider: ProviderServer
  let answers: ScriptedAnswer[]

  before(async () => {
    provider = await startProviderServer(() => answers.shift() ?? { status: 400, message: 'no further answer' })
    const env = { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' }
    service = await startScene({ agentsDir: AGENTS, env })
  })
  after(async () => {
    await service.stop()
    await provider.close()
  })

  async function ask(prompt_name: string, query: string, more: object = {}) {
    const submitted = await service.request('POST', '/api/prompts', { prompt_name, inputs: { query }, ...more })
    const { body } = await untilEnded(service, submitted.body.prompt_id)
    const { traces } = (await service.request('GET', `/api/traces?job_id=${submitted.body.prompt_id}`)).body
    const types = (traces as { event_type: string }[]).map(({ event_type }) => event_type)
    return {
      id: submitted.body.prompt_id as string,
      said: body.outputs,
      hits: types.filter((type) => type === 'cache_hit').length,
    }
  }

  it('is shared by agents with the scope all', async () => {
    const query = randomUUID()
    answers = [{ text: 'one' }, { text: 'two' }]
    expect(await ask('keeper', query)).to.deep.include({ said: { result: 'one' }, hits: 0 })
    expect(await ask('keeper-too', query)).to.deep.include({ said: { result: 'one' }, hits: 1 })
    expect(await ask('own-keeper', query)).to.deep.include({ said: { result: 'two' }, hits: 0 })
    expect(await ask('own-keeper', query)).to.deep.include({ said: { result: 'two' }, hits: 1 })
  })

  it('never stores failed calls', async () => {
    const query = randomUUID()
    answers = [{ status: 400, message: 'too long' }, { text: 'well' }]
    expect((await ask('keeper', query)).said)
      .to.have.property('error')
      .that.contains('too long')
    expect(await service.store.cache.countDocuments({ lease: { $exists: true } })).to.equal(0)
    expect(await ask('keeper', query)).to.deep.include({ said: { result: 'well' }, hits: 0 })
    expect(await ask('keeper', query)).to.deep.include({ said: { result: 'well' }, hits: 1 })
  })

  it('is bypassed and updated with no_cache, which is the default of replays', async () => {
    const query = randomUUID()
    answers = [{ text: 'old' }, { text: 'new' }, { text: 'newer' }]
    await ask('keeper', query)
    const { id, ...fresh } = await ask('keeper', query, { no_cache: true })
    expect(fresh).to.deep.equal({ said: { result: 'new' }, hits: 0 })
    expect(await ask('keeper', query)).to.deep.include({ said: { result: 'new' }, hits: 1 })
    const replay = (body: object) => service.request('POST', `/api/jobs/${id}/replay`, { reexecute: true, ...body })
    expect((await replay({})).body.result).to.deep.equal({ result: 'newer' })
    expect((await replay({ no_cache: false })).body.result).to.deep.equal({ result: 'newer' })
    const wrong = await service.request('POST', '/api/prompts', { prompt_name: 'keeper', inputs: {}, no_cache: 'yes' })
    expect(wrong).to.deep.include({ status: 400, body: { detail: 'no_cache must be a boolean.' } })
  })

  it('is bypassed by chats and batches with no_cache', async () => {
    const message = randomUUID()
    answers = [{ text: '1' }, { text: '2' }, { text: '3' }]
    const chat = (query: string) => service.request('GET', `/api/agents/keeper/chat?message=${message}${query}`)
    expect((await chat('')).body.response).to.deep.equal({ result: '1' })
    expect((await chat('')).body.response).to.deep.equal({ result: '1' })
    expect((await chat('&no_cache=true')).body.response).to.deep.equal({ result: '2' })
    const tasks = [{ message }]
    const batch = (body: object) => service.request('POST', '/api/agents/keeper/batch', { tasks, wait: true, ...body })
    expect((await batch({})).body.results[0].response.result).to.deep.equal({ result: '2' })
    expect((await batch({ no_cache: true })).body.results[0].response.result).to.deep.equal({ result: '3' })
  })

  it('stores large results in the object store, and repeats the call when an object is lost', async () => {
    const query = randomUUID()
    const text = 'large '.repeat(20_000)
    answers = [{ text }, { text }]
    expect((await ask('keeper', query)).hits).to.equal(0)
    const again = await ask('keeper', query)
    expect(again.hits).to.equal(1)
    expect(again.said.result).to.equal(text)
    const { modifiedCount } = await service.store.cache.updateMany(
      { pointer: { $exists: true } },
      { $set: { 'pointer.key': 'cache/lost.json' } },
    )
    expect(modifiedCount).to.equal(1)
    expect((await ask('keeper', query)).hits).to.equal(0)
    expect(answers).to.deep.equal([])
  })

  it('is cleared by agent, and as a whole', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    await service.request('DELETE', '/api/cache')
    answers = [{ text: 'a' }, { text: 'b'.repeat(110_000) }]
    await ask('keeper', one)
    await ask('own-keeper', other)
    const clear = async (query: string) => (await service.request('DELETE', `/api/cache${query}`)).body
    expect(await clear('?agent=nobody')).to.deep.equal({ ok: true, deleted: { answers: 0, objects: 0 } })
    expect(await clear('?agent=own-keeper')).to.deep.equal({ ok: true, deleted: { answers: 1, objects: 1 } })
    expect((await ask('keeper', one)).hits).to.equal(1)
    expect(await clear('')).to.deep.equal({ ok: true, deleted: { answers: 1, objects: 0 } })
    expect(await service.store.cache.countDocuments()).to.equal(0)
  })
})
