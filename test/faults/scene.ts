import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProviderServer, type ProviderRequest, type ProviderServer } from '../support/provider-server.ts'
import { startTestService, TEST_AGENTS, untilEnded, type Answer, type TestService } from '../support/service.ts'
import { startStack, type PrivateStack } from '../support/stack.ts'

/** Agents that say when their steps began, beside those of all tests. */
export const FAULT_AGENTS = `${TEST_AGENTS},${fileURLToPath(new URL('./agents', import.meta.url))}`

/** A service on servers of its own, which a test may kill, with a model provider. */
export interface FaultScene extends TestService {
  stack: PrivateStack
  provider: ProviderServer
  /** Submits, again and again under one key while the service says 503 or cannot be reached; gives the accepted answer. */
  accepted: (path: string, body: unknown) => Promise<Answer>
  /** Submits work of every kind: tool calls by script, tool calls by a provider, plain code, code that calls code. Gives the prompts' ids. */
  labor: (prompts: number) => Promise<string[]>
}

/** The provider's side of `labor`: two rounds of a tool, then the answer. */
function answerLabor({ body }: ProviderRequest) {
  const round = Math.floor(body.messages.filter(({ role }) => role === 'tool').length)
  return round < 2 ? { toolCalls: [{ name: 'double', arguments: { n: round } }] } : { text: 'doubled' }
}

export async function startFaultScene(env: Record<string, string> = {}): Promise<FaultScene> {
  const [stack, provider] = await Promise.all([startStack(), startProviderServer(answerLabor)])
  const stopServers = () => Promise.all([stack.stop(), provider.close()])
  const service = await startTestService({
    stack: stack.env,
    agentsDir: FAULT_AGENTS,
    env: { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key', ...env },
  }).catch(async (error: unknown) => {
    await stopServers()
    throw error
  })
  const accepted = (path: string, body: unknown) => submitUntilAccepted(service, path, body)
  return {
    ...service,
    stack,
    provider,
    accepted,
    labor: (prompts) =>
      Promise.all(
        Array.from({ length: prompts }, async (_, index) => {
          const answer = await accepted('/api/prompts', laborOf(index))
          return answer.body.prompt_id as string
        }),
      ),
    stop: async () => {
      await service.stop().finally(stopServers)
    },
  }
}

function laborOf(index: number): { prompt_name: string; inputs: object } {
  if (index % 4 === 0) return { prompt_name: 'laborer', inputs: { steps: 3, calls: 2, ms: 300 } }
  if (index % 4 === 1) return { prompt_name: 'coder', inputs: { ms: 1_500, value: index } }
  if (index % 4 === 2) return { prompt_name: 'boss', inputs: { agent: 'coder', inputs: { ms: 1_500, value: index } } }
  return { prompt_name: 'provider', inputs: { query: `labor ${randomUUID()}` } }
}

async function submitUntilAccepted(service: TestService, path: string, body: unknown): Promise<Answer> {
  const key = { 'idempotency-key': randomUUID() }
  for (;;) {
    const answer = await service.request('POST', path, body, key).catch(() => undefined)
    if (answer !== undefined && answer.status !== 503) {
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      return answer
    }
    await sleep(500)
  }
}

/** Waits until each prompt has completed, and shows that none of its steps was made again after it had been recorded. */
export async function expectDoneOnce(scene: FaultScene, ids: string[], withinMs: number): Promise<void> {
  for (const id of ids) {
    const { body } = await untilEnded(scene, id, withinMs)
    expect(body.status, JSON.stringify(body)).to.equal('completed')
    await expectNothingRepeated(scene, id, body.inputs)
  }
}

async function expectNothingRepeated(scene: FaultScene, id: string, inputs: { query?: string }): Promise<void> {
  const steps = await scene.store.steps.find({ job_id: id }).toArray()
  const recordedAt = new Map(steps.map(({ _id, at }) => [_id.slice(_id.indexOf('|') + 1), at.getTime()]))
  const counted = (await scene.counted(id)).filter((line) => line !== 'calling').map(parseCount)
  // Counted by the code that was called: its end is the record of the call.
  const call = [...recordedAt.keys()].find((path) => /^0\.k[0-9a-f]+-00000$/.test(path))
  const called = call === undefined ? counted : counted.map((each) => ({ ...each, path: call }))
  const begun = [...called, ...requestsOf(scene.provider, inputs.query)]
  for (const { path, at } of begun) {
    expect(at, `${path} of ${id} began again after it was recorded`).to.be.at.most(recordedAt.get(path) ?? 0)
  }
  const traces = await scene.store.traces.find({ job_id: id }).toArray()
  const types = traces.map(({ event_type }) => event_type)
  const calls = steps.filter(({ _id }) => /\.m\d+\.c\d+$/.test(_id)).length
  const models = steps.filter(({ _id }) => /\.m\d+$/.test(_id)).length
  const times = (type: string) => types.filter((each) => each === type).length
  const agents = 1 + times('delegation')
  expect([times('task_start'), times('task_complete')], id).to.deep.equal([agents, agents])
  expect([times('tool_call'), times('llm_usage')], id).to.deep.equal([calls, models])
}

/** Shows of a batch of plain code that no task began again after its end had been recorded. */
export async function expectTasksOnce(scene: FaultScene, batchId: string): Promise<void> {
  for await (const { _id } of scene.store.executions.find({ batch_id: batchId }, { projection: { _id: 1 } })) {
    const end = await scene.store.steps.findOne({ _id: `${_id}|end` })
    const begun = (await scene.counted(_id)).map(parseCount)
    expect(begun).not.to.have.length(0)
    for (const { at } of begun) expect(at, _id).to.be.at.most(end?.at.getTime() ?? 0)
  }
}

function parseCount(line: string): { path: string; at: number } {
  const [place = '', at] = line.split(' ')
  return { path: place === 'end' ? 'end' : `0.${place}`, at: Number(at) }
}

function requestsOf({ requests }: ProviderServer, query: string | undefined): { path: string; at: number }[] {
  if (query === undefined) return []
  const own = requests.filter(({ body }) => body.messages.some(({ content }) => content === query))
  return own.map(({ body, at }) => {
    const round = body.messages.filter(({ role }) => role === 'tool').length
    return { path: `0.m${String(round).padStart(5, '0')}`, at: at.getTime() }
  })
}
