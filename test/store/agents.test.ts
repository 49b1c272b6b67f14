import { expect } from 'chai'
import { toLoadedAgent } from '../../agents/loaded-agent.ts'
import {
  activeAgents,
  beatAgents,
  findPool,
  findProfiles,
  knownAgents,
  listAgentRows,
  registerAgents,
} from '../../store/registry/agents.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { isolated, sharedStack } from '../support/stack.ts'

const FIRST = new Date('2026-01-01T00:00:00.000Z')
const LATER = new Date('2026-01-01T00:00:10.000Z')

const LONG_AFTER = new Date('2026-01-01T00:00:39.000Z')

describe('The registry of agents', () => {
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
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = isolated(sharedStack())
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

  it('knows where each agent lives and how it works', async () => {
    expect(await findPool(store, 'team.model', 'default', FIRST)).to.deep.equal({ pool: 'default', kind: 'model' })
    expect(await findPool(store, 'code', 'default', FIRST)).to.deep.equal({ pool: 'default', kind: 'code' })
    expect(await findPool(store, 'nobody', 'default', FIRST)).to.equal(undefined)
    expect([...(await knownAgents(store, ['code', 'nobody', 'code'])).keys()]).to.deep.equal(['code'])
  })

  it('keeps the tools with their schemas as text, so that $ in a key does no harm', async () => {
    const found = await store.agents.findOne({ name: 'team.model' })
    expect(found).to.deep.include({ role: 'Role', goal: 'Goal', last_seen: FIRST })
    expect(found?.tools).to.deep.equal([
      { name: 'look', description: 'Looks.', parameters: JSON.stringify(model.tools[0]?.parameters) },
    ])
  })

  it('keeps the schemas of inputs and answers, as they were registered last', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const strict = toLoadedAgent(
      { name: 'code', role: 'r', goal: 'g', input: schema, output: schema, run: () => 1 },
      'c',
    )
    await registerAgents(store, [strict], 'gpu', LATER)
    const input = JSON.stringify(strict.inputSchema?.json)
    expect(JSON.parse(input)).to.deep.equal(schema)
    expect(await store.agents.findOne({ name: 'code', pool: 'gpu' })).to.deep.include({ input, output: input })
    expect((await knownAgents(store, ['code'])).get('code')).to.deep.equal({ name: 'code', input })
    expect(await findProfiles(store, ['code'])).to.deep.equal([{ name: 'code', role: 'r', goal: 'g', input }])
    expect((await store.agents.findOne({ name: 'team.model' }))?.input).to.equal(undefined)
  })

  it('finds an agent that two pools host in one whose workers live, and prefers the pool that asks', async () => {
    await registerAgents(store, [code], 'gpu', LATER)
    const poolOf = async (preferred: string, now: Date) => (await findPool(store, 'code', preferred, now))?.pool
    expect(await poolOf('gpu', LATER)).to.equal('gpu')
    expect(await poolOf('default', LATER)).to.equal('default')
    expect(await poolOf('other', LATER)).to.equal('default')
    // The beats of one pool say nothing about the other.
    await beatAgents(store, ['code'], 'gpu', LONG_AFTER)
    expect(await poolOf('default', LONG_AFTER)).to.equal('gpu')
    // Where nobody lives, the one that was seen last is waited for.
    expect(await poolOf('default', new Date('2026-01-02T00:00:00.000Z'))).to.equal('gpu')
  })

  it('lists an agent once, as it was seen last, and counts it as active while any pool hosts it', async () => {
    await registerAgents(store, [{ ...code, role: 'newer' }], 'gpu', LATER)
    const rows = await listAgentRows(store, {}, { offset: 0, limit: 10 })
    expect(rows.map(({ name, role }) => [name, role])).to.deep.equal([
      ['code', 'newer'],
      ['team.model', 'Role'],
    ])
    const active = await activeAgents(store, new Date(LATER.getTime() + 25_000))
    expect(active).to.deep.equal(['code'])
  })

  it('beats, and never backwards', async () => {
    expect(await beatAgents(store, ['code', 'team.model'], 'default', LATER)).to.equal(true)
    expect(await beatAgents(store, ['code'], 'default', FIRST)).to.equal(true)
    expect((await store.agents.findOne({ name: 'code' }))?.last_seen).to.deep.equal(LATER)
  })

  it('says when the registry has lost an agent', async () => {
    await store.agents.deleteOne({ name: 'code' })
    expect(await beatAgents(store, ['code', 'team.model'], 'default', LATER)).to.equal(false)
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
    expect(await beatAgents(store, [], 'default', LATER)).to.equal(true)
  })
})
