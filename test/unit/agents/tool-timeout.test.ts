import { setTimeout as after } from 'node:timers/promises'
import { expect } from 'chai'
import type { AgentContext, Tool } from '../../../agents/definition.ts'
import { toLoadedAgent } from '../../../agents/loaded-agent.ts'

describe('a tool’s timeoutMs', () => {
  const call = async (execute: Tool['execute'], timeoutMs: number, signal = new AbortController().signal) => {
    const tools = [{ name: 't', description: 'd', execute, timeoutMs }]
    const agent = toLoadedAgent({ name: 'a', role: 'r', goal: 'g', model: 'openai/m', tools } as never, 'a.ts')
    return agent.tools[0]?.execute({}, { signal, agent: 'a' } as AgentContext)
  }
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('no error'),
      (error: Error) => error,
    )

  it('leaves a tool alone that is quick enough', async () => {
    expect(await call(() => 5, 60_000)).to.equal(5)
    expect(await call(async (_args, { agent }) => agent, 60_000)).to.equal('a')
    expect((await failure(call(() => Promise.reject(new Error('its own')), 60_000))).message).to.equal('its own')
    const thrown = () => {
      throw new Error('at once')
    }
    expect((await failure(call(thrown, 60_000))).message).to.equal('at once')
  })

  it('fires the signal of a tool that is too slow, and tells the model', async () => {
    const reason = Promise.withResolvers<unknown>()
    const slow: Tool['execute'] = (_args, { signal }) =>
      after(60_000, undefined, { signal }).catch((error: Error) => {
        reason.resolve(signal.reason)
        throw error
      })
    const error = await failure(call(slow, 50))
    expect(error.message).to.equal('the tool gave no result within 0.05 seconds')
    expect(await reason.promise).to.equal(error)
  })

  it('does not wait for a tool that ignores the signal', async () => {
    const released = Promise.withResolvers<void>()
    const error = await failure(call(() => released.promise, 50))
    expect(error.message).to.contain('no result within')
    released.resolve()
  })

  it('passes a cancel on', async () => {
    const cancel = new AbortController()
    const called = failure(call((_args, { signal }) => after(60_000, undefined, { signal }), 60_000, cancel.signal))
    cancel.abort(new Error('canceled'))
    expect((await called).name).to.equal('AbortError')
  })
})
