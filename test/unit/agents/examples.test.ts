import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { EXAMPLES_DIR } from '../../../agents/agent-modules.ts'
import type { AgentContext } from '../../../agents/definition.ts'
import { loadAgents } from '../../../agents/load.ts'
import { createNetwork } from '../../../agents/network/network.ts'
import type { LoadedAgent } from '../../../agents/loaded-agent.ts'
import type { ModelToolCall, ModelToolResult, Turn } from '../../../agents/models/model.ts'
import { delegateInputs, offeredTools } from '../../../agents/models/offered-tools.ts'
import { scriptedModel } from '../../../agents/models/scripted-model.ts'

const ARTICLE = `<html><head><title>Cats and dogs</title></head><body><article><h1>Cats and dogs</h1>
<p>Cats sleep sixteen hours a day, and cats hunt at night. Dogs sleep twelve hours, and dogs hunt with people.
It is a long story. People have lived with cats and dogs for 10000 years.</p></article></body></html>`

describe('the example agents', () => {
  let agents: Map<string, LoadedAgent>
  let server: Server
  let url: string

  before(async () => {
    const log = { warn: () => undefined, error: () => undefined } as never
    agents = (await loadAgents({ directories: [EXAMPLES_DIR], log })).agents
    server = createServer((request, response) => {
      if (request.url !== '/cats') return response.writeHead(404).end()
      return response.setHeader('content-type', 'text/html').end(ARTICLE)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cats`
  })

  after(async () => {
    await network.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const agentNamed = (name: string) => agents.get(name) ?? expect.fail(`${name} is missing`)
  const signal = new AbortController().signal
  const network = createNetwork(['127.0.0.1'])
  const context = {
    signal,
    heartbeat: () => undefined,
    fetch: network.fetchFor(undefined, signal),
  } as unknown as AgentContext

  /** The agent loop in its simplest form: no engine, the real scripts and tools. */
  async function run(name: string, inputs: unknown): Promise<unknown> {
    const agent = agentNamed(name)
    if (agent.run) return agent.run(inputs as never, context)
    const tools = offeredTools(
      agent,
      (agent.delegates ?? []).map(agentNamed).map(({ name, role, goal }) => ({ name, role, goal })),
    )
    const turns: Turn[] = [{ role: 'user', text: JSON.stringify(inputs) }]
    for (let step = 0; step < (agent.maxSteps ?? 20); step += 1) {
      const { text, calls } = await scriptedModel.generate({ agent, inputs, turns, tools, step, signal })
      if (calls.length === 0) return { result: text }
      turns.push({ role: 'assistant', text, calls })
      turns.push({ role: 'tool', results: await Promise.all(calls.map((call) => execute(agent, call))) })
    }
    return expect.fail(`${name} came to no end`)
  }

  async function execute(agent: LoadedAgent, { id, name, arguments: args }: ModelToolCall): Promise<ModelToolResult> {
    try {
      const tool = agent.tools.find((each) => each.name === name)
      const problem = tool?.validate(args)
      if (problem) throw new Error(problem)
      const result = tool
        ? await tool.execute(args, context)
        : await run(name, (delegateInputs(args) as { inputs: object }).inputs)
      return { id, name, output: JSON.stringify(result), isError: false }
    } catch (error) {
      return { id, name, output: (error as Error).message, isError: true }
    }
  }

  async function failureOf(promise: Promise<unknown>): Promise<string> {
    return promise.then(
      () => expect.fail('the run should have failed'),
      (error: Error) => error.message,
    )
  }

  it('make a report out of a page, as a chain', async () => {
    let inputs: unknown = { url }
    for (const name of ['researcher', 'analyst', 'writer']) {
      const { result } = (await run(name, inputs)) as { result: string }
      inputs = { input: result, text: result, result }
    }
    const { result: report } = inputs as { result: string }
    expect(report).to.match(/^# Cats and dogs\n/)
    expect(report).to.contain('## Key points').and.contain('sixteen hours').and.contain('| Words |')
    expect(report).to.contain(url).and.contain('Reading time: 1 min')
  })

  for (const inputs of [
    { text: 'Cats sleep sixteen hours a day.' },
    { query: 'What do cats do at night?' },
    { message: 'Hi' },
  ]) {
    it(`take ${JSON.stringify(inputs)} one after the other`, async () => {
      for (const name of ['researcher', 'analyst', 'writer']) {
        const { result } = (await run(name, inputs)) as { result: string }
        expect(result).to.match(/^# /)
      }
    })
  }

  it('share the work out, to the same report', async () => {
    const { result } = (await run('coordinator', { query: `Report on ${url}, please` })) as { result: string }
    expect(result)
      .to.match(/^# Cats and dogs\n/)
      .and.contain('## Notes')
      .and.contain(url)
  })

  it('fail in plain words when there is nothing to read', async () => {
    expect(await failureOf(run('researcher', { url: `${url}/no` }))).to.contain('answered 404')
    expect(await failureOf(run('researcher', {}))).to.contain('nothing to read')
    expect(await failureOf(run('coordinator', { url: `${url}/no` }))).to.contain('researcher failed')
    expect(await failureOf(run('analyst', {}))).to.contain('inputs.text is missing')
    expect(await failureOf(run('writer', null))).to.contain('inputs.text is missing')
  })

  it('chat', async () => {
    const say = async (message: string) => ((await run('assistant', { message })) as { result: string }).result
    expect(await say('What time is it in Europe/Zurich?')).to.match(/^It is .* in Europe\/Zurich\.$/)
    expect(await say('What day is it?')).to.contain('in UTC')
    expect(await say('And the time in Mars/Base?'))
      .to.contain('did not work')
      .and.contain('Mars/Base')
    expect(await say('How many words: one two three')).to.equal('That is 3 words.')
    expect(await say(`Read ${url}`)).to.contain('**Cats and dogs**')
    expect(await say('Hello')).to.contain('You said: Hello')
  })

  for (const [text, label] of [
    ['I love this, it is great', 'positive'],
    ['This is terrible', 'negative'],
    ['This is not good', 'negative'],
    ["It isn't bad", 'positive'],
    ['The table has four legs', 'neutral'],
    ['constructor toString', 'neutral'],
  ] as const) {
    it(`find "${text}" ${label}`, async () => {
      expect(await run('sentiment', { text })).to.include({ label })
    })
  }

  it('ask for the text that is to be judged', async () => {
    expect(await failureOf((async () => run('sentiment', {}))())).to.contain('inputs.text is missing')
  })

  it('echo', async () => {
    expect(await run('echo', { a: [1] })).to.deep.equal({ a: [1] })
  })
})
