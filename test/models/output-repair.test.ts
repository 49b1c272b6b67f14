import { expect } from 'chai'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  startProviderServer,
  type ProviderRequest,
  type ProviderServer,
  type ScriptedAnswer,
} from '../support/provider-server.ts'
import { startTestService, untilEnded, type TestService } from '../support/service.ts'
import { configFor } from './scene.ts'

const WIRES = [
  { name: 'openai', model: 'openai/gpt-5-mini', settings: { reasoning: 'low' } },
  { name: 'chat', model: 'vllm/deepseek-reasoner', settings: {} },
  { name: 'anthropic', model: 'anthropic/claude-sonnet-4-5', settings: { reasoning: 'low' } },
  { name: 'google', model: 'google/gemini-3-pro-preview', settings: { reasoning: 'low' } },
] as const

const output = {
  type: 'object',
  properties: { score: { type: 'integer' }, why: { type: 'string' } },
  required: ['score', 'why'],
  additionalProperties: false,
}
const GOOD = { score: 3, why: 'it is so' }
const FITS = JSON.stringify(GOOD)
const ERROR = `output.score must be integer`

/** A model agent of every wire: `plain` is asked in the provider's structured mode, `tooled` has a tool beside the final one. */
function moduleOf({ name, model, settings }: (typeof WIRES)[number], kind: 'plain' | 'tooled'): string {
  const agent = { name: `${kind}-${name}`, role: 'r', goal: 'g', instructions: 'Judge.', model, settings, output }
  const tools = `[{ name: 'look', description: 'Looks.', execute: () => 'seen' }]`
  return `export default { ...${JSON.stringify(agent)}, maxSteps: 6, tools: ${kind === 'tooled' ? tools : '[]'} }`
}

describe('A structured answer', function () {
  this.timeout(180_000)
  let service: TestService
  let provider: ProviderServer
  let folder: string
  const scripts = new Map<string, ScriptedAnswer[]>()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-structured-'))
    for (const wire of WIRES) {
      for (const kind of ['plain', 'tooled'] as const) {
        await writeFile(join(folder, `${kind}-${wire.name}.ts`), moduleOf(wire, kind))
      }
    }
    provider = await startProviderServer(({ body }) => {
      const text = JSON.stringify(body)
      const [, script] = [...scripts].find(([id]) => text.includes(id)) ?? []
      return script?.shift() ?? { status: 400, message: 'The script of the test has no further answer' }
    })
    const env = { ...(configFor(provider.url) as Record<string, string>), OPENAI_API: 'responses' }
    service = await startTestService({ agentsDir: folder, env })
  })
  after(async () => {
    await service.stop()
    await provider.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function submit(agent: string, answers: ScriptedAnswer[]): Promise<{ id: string; query: string }> {
    const query = `Judge ${randomUUID()}.`
    scripts.set(query, answers)
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: agent, inputs: { query } })
    return { id: body.prompt_id, query }
  }

  async function outcome({ id, query }: { id: string; query: string }) {
    const { body: prompt } = await untilEnded(service, id, 120_000)
    const { body } = await service.request('GET', `/api/traces?job_id=${id}`)
    const events = body.traces as { event_type: string; payload: Record<string, unknown> }[]
    const of = (type: string) => events.filter(({ event_type }) => event_type === type).map(({ payload }) => payload)
    const requests = provider.requests.filter((request) => JSON.stringify(request.body).includes(query))
    return { prompt, of, requests, left: scripts.get(query)?.length }
  }

  const judged = async (agent: string, answers: ScriptedAnswer[]) => outcome(await submit(agent, answers))
  const text = ({ body }: ProviderRequest | undefined = { body: {} } as never) => JSON.stringify(body)

  for (const wire of WIRES) {
    describe(`of ${wire.model}`, () => {
      const plain = `plain-${wire.name}`
      const tooled = `tooled-${wire.name}`
      const final = (args: Record<string, unknown> | string, id = 'call_f') => ({
        id,
        name: 'final_answer',
        arguments: args,
      })
      const look = { id: 'call_l', name: 'look', arguments: {} }

      for (const [what, answer] of [
        ['as it is', FITS],
        ['out of the words around it', `Here you are:\n\`\`\`json\n${FITS}\n\`\`\`\nAnything else?`],
      ] as const) {
        it(`is taken ${what}, with one call`, async () => {
          const { prompt, of, requests, left } = await judged(plain, [{ text: answer }])
          expect(prompt).to.deep.include({ status: 'completed', outputs: GOOD })
          expect([requests.length, left]).to.deep.equal([1, 0])
          expect(text(requests[0])).not.to.contain('final_answer')
          expect(of('task_complete')[0]).to.include({ repaired: false, steps: 1 })
          expect(of('error')).to.deep.equal([])
        })
      }

      it('that does not fit is sent back once, in the conversation, with its reasoning', async () => {
        const wrong = { reasoning: 'Quite good.', text: '{"score": "3", "why": "x"}' }
        const { prompt, of, requests } = await judged(plain, [wrong, { text: FITS }])
        expect(prompt).to.deep.include({ status: 'completed', outputs: GOOD })
        expect(requests).to.have.length(2)

        expect(text(requests[1])).to.contain(ERROR).and.contain('Answer again')
        expect(of('task_complete')[0]).to.include({ repaired: true, steps: 2 })
        expect(of('error')).to.have.length(1)
        expect(of('error')[0]).to.include({ code: 'invalid_output', retryable: true })
        expect(prompt.token_usage.by_model[0].calls).to.equal(2)
      })

      it('that never fits fails the run, and its text is kept', async () => {
        const { prompt, of, left } = await judged(plain, [{ text: 'Three.' }, { text: '{"score": 3}' }])
        expect(prompt.status).to.equal('failed')
        expect(prompt.error).to.contain(`must have required property 'why'`)
        expect(prompt.outputs).to.deep.equal({ error: prompt.error, raw: '{"score": 3}' })
        expect(of('error').map(({ code }) => code)).to.deep.equal(['invalid_output', 'invalid_output'])
        expect(left).to.equal(0)
      })

      it('comes by the final tool where the agent has others, after these', async () => {
        const answers = [{ reasoning: 'I look.', toolCalls: [look] }, { toolCalls: [final(GOOD)] }]
        const { prompt, of, requests } = await judged(tooled, answers)
        expect(prompt).to.deep.include({ status: 'completed', outputs: GOOD })
        expect(text(requests[0])).to.contain('final_answer')
        expect(of('tool_call').map(({ tool_name }) => tool_name)).to.deep.equal(['look'])
        expect(of('task_complete')[0]).to.include({ repaired: false, steps: 2 })
      })

      it('beside calls of other tools is not accepted before their results are there', async () => {
        const answers = [
          { reasoning: 'Both.', toolCalls: [look, final({ score: 1, why: 'a guess' })] },
          { toolCalls: [final(GOOD, 'call_g')] },
        ]
        const { prompt, of, requests } = await judged(tooled, answers)
        expect(prompt).to.deep.include({ status: 'completed', outputs: GOOD })
        expect(text(requests[1])).to.contain('Call final_answer alone').and.contain('seen')
        expect(of('task_complete')[0]).to.include({ repaired: false })
      })

      for (const [what, answer, problem] of [
        ['wrong arguments of the final tool', { toolCalls: [final({ score: '3', why: 'x' })] }, ERROR],
        ['arguments that are no JSON', { toolCalls: [final('{"score": 3, "w')] }, 'the arguments are no JSON object'],
        ['words instead of the final tool', { text: 'It is a three.' }, 'final_answer was not called'],
      ] as [string, ScriptedAnswer, string][]) {
        // Google's arguments are no text.
        if (wire.name === 'google' && what === 'arguments that are no JSON') continue
        it(`is repaired after ${what}`, async () => {
          const mended = { toolCalls: [final(GOOD, 'call_g')] }
          const { prompt, of, requests } = await judged(tooled, [{ reasoning: 'Hm.', ...answer }, mended])
          expect(prompt, prompt.error).to.deep.include({ status: 'completed', outputs: GOOD })
          expect(text(requests[1])).to.contain(problem)
          expect(of('task_complete')[0]).to.include({ repaired: true })
        })
      }
    })
  }

  it('is mended by the next worker when the first one dies over it, and nothing is asked twice', async () => {
    const submitted = await submit('plain-openai', [{ text: '{}' }, { hang: true }, { text: FITS }])
    const sent = () => provider.requests.filter(({ body }) => JSON.stringify(body).includes(submitted.query))
    while (sent().length < 2) await new Promise((resolve) => setTimeout(resolve, 50))
    await service.worker.kill9()
    await service.worker.restart()
    const { prompt, requests, of } = await outcome(submitted)
    expect(prompt).to.deep.include({ status: 'completed', outputs: GOOD })
    expect(requests).to.have.length(3)
    expect(requests[2]?.body).to.deep.equal(requests[1]?.body)
    expect(of('task_complete')[0]).to.include({ repaired: true, steps: 2 })
  })
})
