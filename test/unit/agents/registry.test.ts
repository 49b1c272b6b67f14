import { expect } from 'chai'
import { toLoadedAgent } from '../../../agents/loaded-agent.ts'
import { beat, findPlace, findProfiles, registerAgents } from '../../../agents/registry.ts'
import { connectStore, type Store } from '../../../store/connect.ts'
import { isolated, sharedStack } from '../../support/stack.ts'

const FIRST = new Date('2026-01-01T00:00:00.000Z')
const LATER = new Date('2026-01-01T00:00:10.000Z')

describe('the registry of agents', () => {
  let store: Store

  const model = toLoadedAgent(
    {
      name: 'team.model',
      role: 'Role',
      goal: 'Goal',
      model: 'scripted',
      script: () => ({ text: '' }),
      tools: [{ name: 'look', description: 'Looks.', parameters: { $defs: {}, type: 'object' }, execute: () => 1 }],
    },
    'model.ts',
  )
  const code = toLoadedAgent({ name: 'code', role: 'r', goal: 'g', run: () => 1 }, 'code.ts')

  before(async () => {
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = isolated(await sharedStack())
    store = connectStore({ uri: uri ?? '', database: database ?? '', appName: 'test' })
  })

  beforeEach(async () => {
    await store.agents.deleteMany({})
    await registerAgents(store, [model, code], 'default', FIRST)
  })

  after(async () => {
    await store.db.dropDatabase()
    await store.close()
  })

  it('knows where each agent lives and how it runs', async () => {
    expect(await findPlace(store, 'team.model')).to.deep.equal({ name: 'team.model', pool: 'default', kind: 'model' })
    expect(await findPlace(store, 'code')).to.deep.equal({ name: 'code', pool: 'default', kind: 'code' })
    expect(await findPlace(store, 'nobody')).to.equal(undefined)
  })

  it('keeps the tools with their schemas as text, so that $ in a key does no harm', async () => {
    const found = await store.agents.findOne({ _id: 'team.model' })
    expect(found).to.deep.include({ role: 'Role', goal: 'Goal', last_seen: FIRST })
    expect(found?.tools).to.deep.equal([
      { name: 'look', description: 'Looks.', parameters: JSON.stringify(model.tools[0]?.parameters) },
    ])
  })

  it('moves an agent to the pool that registered it last', async () => {
    await registerAgents(store, [code], 'gpu', LATER)
    expect(await findPlace(store, 'code')).to.include({ pool: 'gpu' })
    expect(await findPlace(store, 'team.model')).to.include({ pool: 'default' })
  })

  it('beats, and never backwards', async () => {
    expect(await beat(store, ['code', 'team.model'], LATER)).to.equal(true)
    expect(await beat(store, ['code'], FIRST)).to.equal(true)
    expect((await store.agents.findOne({ _id: 'code' }))?.last_seen).to.deep.equal(LATER)
  })

  it('says when the registry has lost an agent', async () => {
    await store.agents.deleteOne({ _id: 'code' })
    expect(await beat(store, ['code', 'team.model'], LATER)).to.equal(false)
  })

  it('describes agents in the order in which they are asked for', async () => {
    expect(await findProfiles(store, ['code', 'nobody', 'team.model'])).to.deep.equal([
      { name: 'code', role: 'r', goal: 'g' },
      { name: 'team.model', role: 'Role', goal: 'Goal' },
    ])
    expect(await findProfiles(store, [])).to.deep.equal([])
  })

  it('registers nothing without failing', async () => {
    await registerAgents(store, [], 'default', LATER)
    expect(await beat(store, [], LATER)).to.equal(true)
  })
})
