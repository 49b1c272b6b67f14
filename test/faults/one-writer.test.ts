import { expect } from 'chai'
import { startWorker, type ServiceProcess } from '../support/processes.ts'
import { openObjects, type Objects } from '../support/objects.ts'
import { startProviderServer, type ProviderServer, type ScriptedAnswer } from '../support/provider-server.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'
import { caughtUp, freeze, holderOf, thaw } from './worker-state.ts'

const LARGE = 200_000
/** A pause is noticed within ten seconds; the rest is what the run takes, and time for a busy machine. */
const TAKEN_OVER_WITHIN_MS = 90_000

/** Plain code and a tool that draw a value. */
const DRAWERS = ['drawer', 'tool-drawer']

const drawsBegun = (service: TestService, id: string, times: number) =>
  eventually(
    () => service.counted(id),
    (lines) => lines.length >= times,
    TAKEN_OVER_WITHIN_MS,
  )

const note = (word: string): ScriptedAnswer => ({ toolCalls: [{ name: 'note', arguments: { word } }] })

/**
 * What a provider answers to the first request of a query, which the first worker makes and which the test holds back, and to
 * those after it.
 */
interface Held {
  late: ScriptedAnswer
  then: ScriptedAnswer[]
}

const HELD: Record<string, Held> = {
  'large text': { late: { text: `late ${'x'.repeat(LARGE)}` }, then: [{ text: `first ${'y'.repeat(LARGE)}` }] },
  'calls, late text': { late: { text: 'late' }, then: [note('first'), { text: 'in the end' }] },
  'calls, late refusal': { late: { status: 400 }, then: [note('first'), { text: 'in the end' }] },
  'calls, other late calls': { late: note('late'), then: [note('first'), { text: 'in the end' }] },
  'text, late calls': { late: note('late'), then: [{ text: 'first' }] },
}
/** Those of which the last answer is held, too: the late one comes while the run still goes on. */
const GOES_ON = new Set(['calls, late text', 'calls, late refusal', 'calls, other late calls'])

describe('A run that another worker took over', function () {
  this.timeout(240_000)

  describe('from a frozen worker', () => {
    let provider: ProviderServer
    let service: TestService
    let second: ServiceProcess | undefined
    let objects: Objects
    /** Ids of the runs, by agent or query. */
    const ids = new Map<string, string>()
    /** Outputs before the first worker went on. */
    const kept = new Map<string, unknown>()
    const late = Promise.withResolvers<void>()
    const last = Promise.withResolvers<void>()

    async function answer(query: string, index: number): Promise<ScriptedAnswer> {
      const held = HELD[query]
      if (held === undefined) return { status: 400 }
      if (index === 0) return late.promise.then(() => held.late)
      if (index === held.then.length && GOES_ON.has(query)) await last.promise
      return held.then[index - 1] ?? { status: 400, message: 'The test has no further answer' }
    }

    // One pause for all scenarios: each would wait for its end as long as all of them.
    before(async () => {
      const asked = new Map<string, number>()
      provider = await startProviderServer(({ body }) => {
        const query = String(body.messages.find(({ role }) => role === 'user')?.content)
        const index = asked.get(query) ?? 0
        asked.set(query, index + 1)
        return answer(query, index)
      })
      service = await startTestService({
        agentsDir: FAULT_AGENTS,
        env: { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' },
      })
      objects = openObjects(service.env)
      const submit = async (agent: string, inputs: object): Promise<string> =>
        (await service.request('POST', '/api/prompts', { prompt_name: agent, inputs })).body.prompt_id
      for (const agent of DRAWERS) ids.set(agent, await submit(agent, { bytes: LARGE }))
      for (const query of Object.keys(HELD)) ids.set(query, await submit('noter', { query }))
      const all = ids.size
      await provider.request(Object.keys(HELD).length - 1)
      await eventually(
        () => Promise.all([...ids.values()].map((id) => holderOf(service, id))),
        (holders) => holders.filter((pid) => pid === service.worker.pid).length === all,
      )
      second = await startWorker({ env: service.env })
      for (const agent of DRAWERS) await drawsBegun(service, idOf(agent), 1)
      freeze(service.worker)
      for (const agent of DRAWERS) {
        await drawsBegun(service, idOf(agent), 2)
        await service.open(idOf(agent))
      }
      for (const [name, id] of ids) {
        if (GOES_ON.has(name)) {
          await eventually(
            () => service.counted(id),
            (words) => words.includes('first'),
            TAKEN_OVER_WITHIN_MS,
          )
        } else {
          const { body } = await untilEnded(service, id, TAKEN_OVER_WITHIN_MS)
          expect(body.status, name).to.equal('completed')
          kept.set(name, body.outputs)
        }
      }
      late.resolve()
      await thaw(service, service.worker)
      last.resolve()
      for (const id of ids.values()) await untilEnded(service, id)
    })
    after(async () => {
      if (service.worker.pid !== undefined) process.kill(service.worker.pid, 'SIGCONT')
      await second?.stop()
      await service.stop()
      await provider.close()
      objects.close()
    })

    const idOf = (name: string): string => ids.get(name) ?? ''
    const outputsOf = async (name: string) => (await service.request('GET', `/api/prompts/${idOf(name)}`)).body.outputs
    const typesOf = async (name: string) =>
      (
        await service.store.traces
          .find({ job_id: idOf(name) })
          .sort({ _id: 1 })
          .toArray()
      ).map((each) => each.event_type)
    const workersThatEnded = async (name: string): Promise<number> =>
      new Set((await service.counted(idOf(name))).filter((line) => line.startsWith('end'))).size

    it('keeps the large answer of plain code that was recorded', async () => {
      expect(await workersThatEnded('drawer')).to.equal(2)
      expect(await outputsOf('drawer')).to.deep.equal(kept.get('drawer'))
      expect(await typesOf('drawer')).to.deep.equal(['task_start', 'task_complete'])
    })

    it('keeps the large result of a tool that was recorded, and the late one leaves no trace', async () => {
      const id = idOf('tool-drawer')
      expect(await workersThatEnded('tool-drawer')).to.equal(2)
      expect(await outputsOf('tool-drawer')).to.deep.equal(kept.get('tool-drawer'))
      expect(await typesOf('tool-drawer')).to.deep.equal([
        ...['task_start', 'llm_usage', 'tool_call', 'llm_usage', 'task_complete'],
      ])
      const traces = await service.request('GET', `/api/traces?job_id=${id}`)
      const call = traces.body.traces.find((each: { event_type: string }) => each.event_type === 'tool_call')
      const { body } = await service.request('GET', `/api/traces/${call.id}`)
      expect({ result: body.payload.result.v }).to.deep.equal(await outputsOf('tool-drawer'))
    })

    it('keeps the large answer of a model that was recorded', async () => {
      const outputs = await outputsOf('large text')
      expect(outputs).to.deep.equal(kept.get('large text'))
      expect(outputs.result).to.match(/^first y+$/)
      expect(await typesOf('large text')).to.deep.equal(['task_start', 'llm_usage', 'task_complete'])
    })

    it('points to objects of the attempt that was recorded', async () => {
      for (const name of ['drawer', 'large text']) {
        const { body } = await service.request('GET', `/api/responses/${idOf(name)}/resolved`)
        expect(body.offloaded).to.equal(true)
        const execution = await service.store.executions.findOne({ _id: idOf(name) })
        expect(body.pointer.key).to.contain(`${idOf(name)}.${execution?.takes?.['0']?.attempt}.json`)
        expect(body.data).to.deep.equal(kept.get(name))
      }
    })

    it('makes the calls that were recorded when a late answer asks for none', async () => {
      expect(await outputsOf('calls, late text')).to.deep.equal({ result: 'in the end' })
      await expectOneCall('calls, late text')
    })

    it('makes the calls that were recorded when a late answer asks for others', async () => {
      expect(await outputsOf('calls, other late calls')).to.deep.equal({ result: 'in the end' })
      await expectOneCall('calls, other late calls')
    })

    it('goes on when the provider refuses the late request for good', async () => {
      expect(await outputsOf('calls, late refusal')).to.deep.equal({ result: 'in the end' })
      await expectOneCall('calls, late refusal')
    })

    it('makes no call when a late answer asks for some after the run has ended', async () => {
      expect(await outputsOf('text, late calls')).to.deep.equal({ result: 'first' })
      expect(await service.counted(idOf('text, late calls'))).to.deep.equal([])
      expect(await typesOf('text, late calls')).to.deep.equal(['task_start', 'llm_usage', 'task_complete'])
    })

    async function expectOneCall(name: string): Promise<void> {
      expect(await service.counted(idOf(name))).to.deep.equal(['first'])
      expect(await typesOf(name)).to.deep.equal([
        ...['task_start', 'llm_usage', 'tool_call', 'llm_usage', 'task_complete'],
      ])
      const { body } = await service.request('GET', `/api/prompts/${idOf(name)}`)
      expect(body.token_usage.by_model[0]).to.include({ calls: 2, prompt_tokens: 20, completion_tokens: 10 })
    }
  })

  describe('from a worker whose network was cut', () => {
    let service: TestService
    let first: ServiceProcess | undefined
    let second: ServiceProcess | undefined
    let objects: Objects
    let proxies: Proxy[]

    before(async () => {
      service = await startTestService({ agentsDir: FAULT_AGENTS })
      objects = openObjects(service.env)
      // This worker reaches the object store, but neither MongoDB nor Temporal, while the test has cut them.
      await service.worker.stop()
      const mongo = await startProxy(Number(new URL(service.env.MONGODB_URI ?? '').port))
      const temporal = await startProxy(Number((service.env.TEMPORAL_ADDRESS ?? '').split(':')[1]))
      proxies = [mongo, temporal]
      const MONGODB_URI = `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`
      const env = { ...service.env, MONGODB_URI, TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}` }
      first = await startWorker({ env })
    })
    after(async () => {
      for (const proxy of proxies) proxy.mend()
      await first?.stop()
      await second?.stop()
      await service.stop()
      for (const proxy of proxies) await proxy.close()
      objects.close()
    })

    it('has an object of each attempt, and the one that was recorded is never changed', async () => {
      const prompt = { prompt_name: 'drawer', inputs: { bytes: LARGE } }
      const id: string = (await service.request('POST', '/api/prompts', prompt)).body.prompt_id
      await drawsBegun(service, id, 1)
      second = await startWorker({ env: service.env })
      for (const proxy of proxies) proxy.cut()
      await drawsBegun(service, id, 2)
      await service.open(id)
      const ended = await untilEnded(service, id, TAKEN_OVER_WITHIN_MS)
      const written = async (): Promise<string[]> =>
        (await objects.list('responses/')).filter((key) => key.includes(id))
      await eventually(written, (keys) => keys.length === 2)
      for (const proxy of proxies) proxy.mend()
      await caughtUp(service, first)
      const resolved = await service.request('GET', `/api/responses/${id}/resolved`)
      expect(resolved.body.data).to.deep.equal(ended.body.outputs)
      expect(await written())
        .to.have.length(2)
        .and.to.include(resolved.body.pointer.key)
    })
  })
})
