import { setTimeout as after } from 'node:timers/promises'
import { expect } from 'chai'
import { createModels } from '../../agents/models/create-model.ts'
import type { ModelError } from '../../agents/models/model.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { rateLimited } from '../support/providers/rate-limit.ts'
import { configFor, request } from './scene.ts'

describe('a provider that limits requests', () => {
  let server: ProviderServer

  afterEach(async () => {
    await server.close()
  })

  for (const name of ['openai/gpt-5-mini', 'anthropic/claude-sonnet-4-5', 'google/gemini-3-pro-preview']) {
    it(`tells ${name} when to come back, and then answers`, async () => {
      const { script, counts } = rateLimited(2, { text: 'Hi.' })
      server = await startProviderServer(script)
      const model = createModels({ config: { ...configFor(server.url), OPENAI_API: 'responses' } })(name)
      const calls = await Promise.allSettled(Array.from({ length: 12 }, () => model.generate(request())))
      const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as ModelError] : []))
      expect(counts.refused).to.equal(refused.length)
      expect(refused.length).to.be.within(1, 10)
      for (const error of refused) {
        expect(error).to.include({ code: 'rate_limited', pushback: true })
        expect(error.retryAfterMs).to.be.within(1, 500)
      }
      // The bucket counts in fractions of a request: a little more than a whole one is one.
      await after(Math.max(...refused.map(({ retryAfterMs = 0 }) => retryAfterMs)) + 50)
      expect((await model.generate(request())).text).to.equal('Hi.')
    })
  }
})
