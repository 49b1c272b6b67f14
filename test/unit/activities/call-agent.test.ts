import { expect } from 'chai'
import { callAgent, MAX_RUNS_ELSEWHERE } from '../../../activities/leg/call-agent.ts'
import type { Leg } from '../../../activities/attempt/leg.ts'
import { fieldName } from '../../../store/mongodb/field-name.ts'
import { buildExecution } from '../../build/execution.ts'

const storeOfPools = {
  agents: {
    find: () => ({ toArray: async () => [{ name: 'called', pool: 'far', kind: 'code', last_seen: new Date() }] }),
  },
}

describe('An agent that is called', () => {
  const execution = buildExecution()
  const path = '0>m00000.c000'
  const run = { job: execution._id, path, agent: 'called', last: false }
  const take = { n: 1, worker: 'another', lost: 0, attempt: 'one' }

  async function call(takes: Leg['execution']['takes'], agents = new Map([['called', {}]])) {
    const entered: string[] = []
    const leg = {
      deps: { agents, pool: 'here', store: storeOfPools },
      attempt: { run: { ...run, path: '0' } },
      execution: { ...execution, takes },
      runAgent: (called: typeof run) => {
        entered.push(called.path)
        return Promise.resolve({ status: 'parked', calls: [], until: 1, reason: '' })
      },
    } as unknown as Leg
    return { entered, outcome: await callAgent(leg, run, {}) }
  }

  it('runs inside the leg of its caller', async () => {
    expect((await call({ 0: take })).entered).to.deep.equal([path])
  })

  it('is refused where so many of its execution were run elsewhere that its record could no longer hold them', async () => {
    const others = Object.fromEntries(Array.from({ length: MAX_RUNS_ELSEWHERE }, (_, index) => [`0>${index}`, take]))
    expect((await call(others)).entered, 'here it takes no run').to.deep.equal([path])
    const agents = new Map()
    expect((await call(others, agents)).outcome)
      .to.have.property('error')
      .that.matches(/at most 10,000 agents in other pools/)
    const begun = await call({ ...others, [fieldName(path)]: take }, agents)
    expect(begun.outcome, 'it has begun').to.have.property('status', 'parked')
  })

  it('is left to whoever takes its run, when it began as a run of its own', async () => {
    const { entered, outcome } = await call({ 0: take, [fieldName(path)]: take })
    expect(entered).to.deep.equal([])
    expect(outcome).to.deep.include({ status: 'parked', calls: [{ ...run, pool: 'here' }] })
  })
})
