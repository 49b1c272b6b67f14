import { expect } from 'chai'
import { createModels } from '../../agents/models/create-model.ts'
import { finalAnswerTool } from '../../agents/structured/final-answer.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { configFor, request, search } from './scene.ts'

const schema = {
  type: 'object',
  properties: { score: { type: 'integer' } },
  required: ['score'],
  additionalProperties: false,
}
const open = { ...schema, additionalProperties: true }

describe('structured output', () => {
  let server: ProviderServer

  async function serve(name: string) {
    server = await startProviderServer(() => ({ text: '{"score": 3}' }))
    return createModels({ config: { ...configFor(server.url), OPENAI_API: 'responses' } })(name)
  }
  afterEach(async () => {
    await server.close()
  })

  for (const [name, path] of [
    ['openai/gpt-5-mini', 'text.format'],
    ['vllm/some-model', 'response_format.json_schema'],
    ['groq/some-model', 'response_format.json_schema'],
    ['anthropic/claude-sonnet-4-5', 'output_config.format'],
    ['google/gemini-3-pro-preview', 'generationConfig'],
  ] as const) {
    it(`asks ${name} for JSON of the schema in its own way`, async () => {
      const model = await serve(name)
      const { text, message } = await model.generate(request({ output: schema }))
      expect(text).to.equal('{"score": 3}')
      expect(JSON.stringify(message ?? '')).not.to.contain('undefined')
      expect(server.requests[0]?.body).to.have.nested.property(path)
      expect(JSON.stringify(server.requests[0]?.body)).to.contain('"score"')
    })
  }

  for (const [name, path] of [
    ['openai/gpt-5-mini', 'text.format.strict'],
    ['groq/some-model', 'response_format.json_schema.strict'],
    ['vllm/some-model', 'response_format.json_schema.strict'],
  ] as const) {
    it(`uses the strict mode of ${name} only for a schema that it takes`, async () => {
      const model = await serve(name)
      await model.generate(request({ output: schema }))
      await model.generate(request({ output: open }))
      expect(server.requests[0]?.body).to.have.nested.property(path, true)
      expect(server.requests[1]?.body).to.have.nested.property(path, false)
    })
  }

  it('offers the final tool beside the others, held to its schema where that can be', async () => {
    const model = await serve('openai/gpt-5-mini')
    await model.generate(request({ tools: [search, finalAnswerTool(schema)] }))
    const [final, other] = server.requests[0]?.body.tools ?? []
    expect(final).to.include({ name: 'final_answer', strict: true })
    expect(other?.['strict']).not.to.equal(true)
    await model.generate(request({ tools: [search, finalAnswerTool(open)] }))
    expect(server.requests[1]?.body.tools?.[0]).to.include({ name: 'final_answer', strict: false })
  })

  for (const name of ['openai/gpt-5-mini', 'vllm/some-model', 'anthropic/claude-sonnet-4-5'] as const) {
    it(`does not use the strict mode of ${name} with unsupported keywords`, async () => {
      const model = await serve(name)
      const closed = (properties: object) => ({ ...schema, properties, required: Object.keys(properties) })
      const union = { oneOf: [closed({ kind: { type: 'string', const: 'a' } }), { type: 'null' }] }
      const bounded = { type: 'integer', minimum: 0, maximum: 9 }
      const output = closed({ union, link: { type: 'string', format: 'uri' }, bounded })
      await model.generate(request({ output }))
      await model.generate(request({ tools: [search, finalAnswerTool(output)] }))
      await model.generate(request({ tools: [search, finalAnswerTool(closed({ bounded }))] }))
      expect(server.requests).to.have.length(3)
    })
  }

  for (const [name, strict] of [
    ['openai/gpt-5-mini', false],
    ['vllm/some-model', undefined],
    ['groq/some-model', undefined],
    ['anthropic/claude-sonnet-4-5', undefined],
  ] as const) {
    const how = strict === undefined ? 'without the field strict' : 'with strict: false'
    it(`keeps optional tool arguments optional with ${name}, ${how}`, async () => {
      const model = await serve(name)
      await model.generate(request({ tools: [search, finalAnswerTool(open)] }))
      const tools = (server.requests[0]?.body.tools ?? []) as { strict?: boolean; function?: { strict?: boolean } }[]
      expect(tools.map((tool) => (tool.function ?? tool).strict)).to.deep.equal([strict, strict])
    })
  }
})
