import { expect } from 'chai'
import { takeTurn } from '../../../../activities/model-call/account-turn.ts'
import type { CallOutcome } from '../../../../activities/limits/calls.ts'
import type { Leg } from '../../../../activities/attempt/leg.ts'
import { ModelError, type Model } from '../../../../agents/models/model.ts'
import { UNKNOWN_USAGE } from '../../../../agents/models/usage.ts'
import { request } from '../../../models/scene.ts'

describe('A turn at an account', () => {
  async function outcomeOf(error: ModelError): Promise<CallOutcome | undefined> {
    let outcome: CallOutcome | undefined
    const begun = { throttledMs: 0, end: (ended: CallOutcome) => void (outcome = ended) }
    const account = { figures: { coolingMs: 0 }, begin: () => Promise.resolve(begun) }
    const place = { mayRest: true, rest: (wait: () => unknown) => wait() }
    const leg = {
      deps: { accounts: { of: () => account } },
      attempt: { place, progress: {}, signal: new AbortController().signal },
      execution: { kind: 'prompt' },
    } as unknown as Leg
    const model: Model = { provider: 'openai', model: 'm', generate: () => Promise.reject(error) }
    const turn = await takeTurn(leg, { model, request: request() }, false)
    if ('generate' in turn) await turn.generate(request()).catch(() => undefined)
    return outcome
  }

  it('reports the usage of a failed call', async () => {
    const usage = { ...UNKNOWN_USAGE, prompt_tokens: 40, completion_tokens: 10, source: 'estimated' as const }
    const outcome = await outcomeOf(new ModelError('provider_timeout', 'silent', { kind: 'pushback', usage }))
    expect(outcome?.tokens).to.deep.equal({ prompt: 40, completion: 10 })
  })

  it('reports no tokens if the usage is unknown, so that later calls are not expected to be short', async () => {
    const silent = { kind: 'pushback', usage: UNKNOWN_USAGE } as const
    expect((await outcomeOf(new ModelError('provider_timeout', 'silent', silent)))?.tokens).to.equal(undefined)
  })
})
