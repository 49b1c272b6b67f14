import { expect } from 'chai'
import { createModels } from '../../agents/models/create-model.ts'
import { observeModels } from '../../observability/observe-models.ts'
import { tokens } from '../../observability/work-metrics.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { configFor, failureOf, request } from './scene.ts'

describe('a model that is observed', () => {
  it('counts the tokens of answers, and of calls that broke off', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 10 }
    const broken = { text: 'word '.repeat(40), usage, breaks: { after: 12, by: 'reset' } } as const
    const server = await startProviderServer([{ text: 'Hi.', usage }, broken])
    const models = observeModels(createModels({ config: configFor(server.url) }), { captureContent: false })
    const model = models('anthropic/claude-observed')
    const counted = async (type: string) => {
      const { values } = await tokens.get()
      return values.find(({ labels }) => labels.model === 'claude-observed' && labels.type === type)?.value
    }
    await model.generate(request())
    expect([await counted('input'), await counted('output')]).to.deep.equal([100, 10])
    const { usage: lost } = await failureOf(model.generate(request()))
    expect(lost?.prompt_tokens).to.equal(100)
    expect(await counted('input')).to.equal(200)
    expect(await counted('output')).to.equal(10 + (lost?.completion_tokens ?? NaN))
    await server.close()
  })
})
