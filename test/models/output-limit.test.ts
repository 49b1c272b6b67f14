import { expect } from 'chai'
import type { ModelSettings } from '../../agents/models/model-settings.ts'
import { createModels } from '../../agents/models/create-model.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { configFor, request } from './scene.ts'

const MODEL = 'anthropic/claude-haiku-4-5'

describe('what a call of Anthropic may write', () => {
  let server: ProviderServer

  before(async () => {
    server = await startProviderServer(() => ({ text: 'yes' }))
  })
  after(() => server.close())

  async function ask(settings: ModelSettings, maxOutputTokens?: number) {
    const model = createModels({ config: configFor(server.url) })(MODEL)
    const agent = { name: 'a', role: 'r', goal: 'g', model: MODEL, settings }
    const limit = maxOutputTokens === undefined ? {} : { maxOutputTokens }
    const { warnings = [] } = await model.generate(request({ agent, ...limit }))
    const { max_tokens, thinking }: Record<string, unknown> = server.requests.at(-1)?.body ?? {}
    return { max_tokens, thinking, warnings }
  }

  const budgetTokens: ModelSettings = {
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 3_000 } } },
  }
  for (const [what, settings, warned] of [
    ['by its settings', { reasoning: 'medium' }, ['the model may think less than its agent sets']],
    ['by Anthropic’s own options', budgetTokens, []],
  ] as const) {
    it(`has room for what it thinks ${what}, within its limit`, async () => {
      const sent = await ask(settings, 8_000)
      expect(sent.max_tokens).to.equal(8_000)
      expect(sent.thinking)
        .to.include({ type: 'enabled' })
        .and.have.property('budget_tokens')
        .that.is.within(1_024, 4_000)
      expect(sent.warnings.map((warning) => warning.split(':')[0])).to.deep.equal(warned)
    })

    it(`is all for the answer where the limit leaves no room to think ${what}, and that is said`, async () => {
      const sent = await ask(settings, 2_000)
      expect(sent).to.deep.include({ max_tokens: 2_000, thinking: undefined })
      expect(sent.warnings).to.have.length(1)
    })
  }

  it('is what the adapter makes of it where nothing limits it', async () => {
    expect(await ask({ ...budgetTokens, maxOutputTokens: 500 })).to.deep.include({ max_tokens: 3_500 })
  })

  it('is the limit of a call that does not think', async () => {
    expect(await ask({}, 700)).to.deep.equal({ max_tokens: 700, thinking: undefined, warnings: [] })
  })
})
