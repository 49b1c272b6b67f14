import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { EXAMPLES_DIR } from '../../../agents/agent-modules.ts'
import { loadAgents } from '../../../agents/load.ts'

const ZOD = import.meta.resolve('zod')

describe('loadAgents', () => {
  let directory: string
  let logged: string[]
  const log = {
    warn: (_fields: object, message: string) => void logged.push(message),
    error: (_fields: object, message: string) => void logged.push(message),
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'agents-'))
    logged = []
  })

  afterEach(async () => {
    await rm(directory, { recursive: true })
  })

  async function load(files: Record<string, string>) {
    for (const [name, source] of Object.entries(files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true })
      await writeFile(join(directory, name), source)
    }
    return loadAgents({ directories: [directory], log: log as never })
  }

  const code = (name: string, fields = '') =>
    `export default { name: '${name}', role: 'r', goal: 'g', run: () => ({}), ${fields} }`
  const scripted = (fields: string) =>
    `export default { name: 'x', role: 'r', goal: 'g', model: 'scripted', script: () => ({ text: '' }), ${fields} }`
  const tool = (fields: string) =>
    scripted(`tools: [{ name: 't', description: 'd', parameters: { type: 'object' }, execute: () => 1, ${fields} }]`)

  it('takes TypeScript, JavaScript and CommonJS, from the folder and its direct subfolders', async () => {
    const { agents, problems } = await load({
      'a.ts': `const name: string = 'a'\nexport default { name, role: 'r', goal: 'g', run: () => ({}) }`,
      'b.mjs': code('b'),
      'c.js': `module.exports = { name: 'c', role: 'r', goal: 'g', run: () => ({}) }`,
      'team/d.js': code('d'),
      'team/deeper/e.js': code('e'),
      '_shared.ts': `export const helper = 1`,
      'types.d.ts': `export type X = 1`,
      'notes.md': `# nothing`,
      'node_modules/dep.js': code('dep'),
    })
    expect(problems).to.deep.equal([])
    expect([...agents.keys()]).to.deep.equal(['a', 'b', 'c', 'd'])
    expect(agents.get('a')).to.include({ kind: 'code', file: join(directory, 'a.ts') })
  })

  for (const [what, source, sentence] of [
    ['no default export', `export const agent = {}`, 'the default export is missing'],
    ['a default export that is no object', `export default 5`, 'the default export must be an object'],
    ['no name', `export default { role: 'r', goal: 'g', run: () => 1 }`, 'name is missing'],
    ['a bad name', code('no spaces'), 'name must start with'],
    [
      'a role that is no string',
      `export default { name: 'x', role: 5, goal: 'g', run: () => 1 }`,
      'role must be a string',
    ],
    ['no goal', `export default { name: 'x', role: 'r', run: () => 1 }`, 'goal is missing'],
    ['neither model nor run', `export default { name: 'x', role: 'r', goal: 'g' }`, 'model or run is missing'],
    ['both model and run', code('x', `model: 'openai/m'`), 'model and run exclude each other'],
    [
      'scripted without a script',
      `export default { name: 'x', role: 'r', goal: 'g', model: 'scripted' }`,
      'script is missing',
    ],
    ['a script with another model', scripted(`model: 'openai/m'`), `script works only with model 'scripted'`],
    ['a script without a model', code('x', `script: () => 1`), `script needs model`],
    ['a run that is no function', code('x', `run: 'x'`), 'run must be a function'],
    [
      'an unknown provider',
      `export default { name: 'x', role: 'r', goal: 'g', model: 'acme/m' }`,
      'model must be "scripted" or',
    ],
    ['maxSteps of 0', scripted(`maxSteps: 0`), 'maxSteps must be at least 1'],
    ['maxSteps that is no number', scripted(`maxSteps: '9'`), 'maxSteps must be a whole number'],
    ['a cache that is none', scripted(`cache: 'yes'`), 'cache must be true, false or'],
    ['a cache scope that is none', scripted(`cache: { scope: 'session' }`), "'agent' or 'all'"],
    ['delegates that are no names', scripted(`delegates: [{}]`), 'delegates.0 must be a string'],
    ['mcpServers', scripted(`mcpServers: {}`), 'mcpServers comes later'],
    ['an empty budget', scripted(`budget: {}`), 'budget must limit at least one of usd, tokens'],
    ['a budget of nothing', scripted(`budget: { usd: 0 }`), 'budget.usd must be a number of US dollars above 0'],
    [
      'a budget without an end',
      scripted(`budget: { tokens: 1, onExceeded: 'stop' }`),
      "budget.onExceeded must be 'fail' or 'answer'",
    ],
    [
      'money for a model without a price',
      `export default { name: 'x', role: 'r', goal: 'g', instructions: 'i', model: 'ollama/llama3', budget: { usd: 1 } }`,
      'budget.usd cannot hold: no price of ollama/llama3 is known',
    ],
    ['a memory', scripted(`memory: {}`), 'memory comes later'],
    ['an input that is no object', scripted(`input: { type: 'string' }`), 'input must describe an object'],
    ['an output that is no schema', scripted(`output: 5`), 'output must be a JSON Schema of type object'],
    ['repairs without an output', scripted(`outputRepairs: 2`), 'outputRepairs needs an output'],
    ['too many repairs', scripted(`output: {}, outputRepairs: 9`), 'outputRepairs must be at most 5'],
    ['repairs of plain code', code('x', `output: {}, outputRepairs: 1`), 'outputRepairs needs a model'],
    ['a check that is no function', scripted(`checkOutput: true`), 'checkOutput must be a function'],
    [
      'a delegate named like the final tool',
      scripted(`output: {}, delegates: ['final_answer']`),
      'final_answer is there',
    ],
    [
      'a model twice',
      scripted(`model: ['groq/m', 'groq/m'], script: undefined`),
      'model as an array must name at least',
    ],
    [
      'a scripted fallback',
      scripted(`model: ['groq/m', 'scripted'], script: undefined`),
      'model as an array has models',
    ],
    ['a model that is none', scripted(`model: 5, script: undefined`), 'model must be a string, or an array of them'],
    ['a tool that asks for approval', tool(`approval: true`), 'tools.0.approval comes later'],
    ['unknown fields', code('x', `tolls: [], mood: 1`), 'tolls and mood are unknown to this version'],
    ['an unknown field of a tool', tool(`retries: 3`), 'tools.0.retries is unknown to this version'],
    ['a retry that is none', tool(`retry: true`), `tools.0.retry must be 'safe' or 'never'`],
    ['a tool’s time of 0', tool(`timeoutMs: 0`), 'tools.0.timeoutMs must be at least 1'],
    ['a tool’s time that no timer can hold', tool(`timeoutMs: 1e12`), 'tools.0.timeoutMs must be at most'],
    ['a hedge without its time', scripted(`hedge: {}`), 'hedge.afterMs is missing'],
    ['a hedge that is no object', scripted(`hedge: 5`), 'hedge must be an object with afterMs'],
    ['a hedge of a script', scripted(`hedge: { afterMs: 5 }`), 'hedge needs a model of a provider'],
    ['settings that are no object', scripted(`settings: 5`), 'settings must be an object'],
    ['an unknown setting', scripted(`settings: { temprature: 1 }`), 'settings.temprature is unknown'],
    ['a temperature of 3', scripted(`settings: { temperature: 3 }`), 'settings.temperature must be a number from 0'],
    ['topP as text', scripted(`settings: { topP: '1' }`), 'settings.topP must be a number from 0 to 1'],
    ['no output tokens', scripted(`settings: { maxOutputTokens: 0 }`), 'settings.maxOutputTokens must be a whole'],
    ['an unknown reasoning', scripted(`settings: { reasoning: 'much' }`), 'settings.reasoning must be one of'],
    ['a broken seed', scripted(`settings: { seed: 1.5 }`), 'settings.seed must be a whole number'],
    ['stop sequences as text', scripted(`settings: { stopSequences: '.' }`), 'settings.stopSequences must be an array'],
    [
      'options of an unknown provider',
      scripted(`settings: { providerOptions: { antropic: {} } }`),
      'settings.providerOptions must be JSON objects under the names of providers',
    ],
    [
      'options that are no JSON',
      scripted(`settings: { providerOptions: { openai: { f: () => 1 } } }`),
      'settings.providerOptions must be JSON objects',
    ],
    ['settings without a model', code('x', `settings: { seed: 1 }`), 'settings needs a model'],
    [
      'a network that is no object',
      scripted(`network: 'all'`),
      'network must be an object with allow, private or both',
    ],
    ['a network rule that does not exist', scripted(`network: { deny: [] }`), 'network.deny is unknown'],
    [
      'a network target that is none',
      scripted(`network: { private: ['10.1/8'] }`),
      'network.private.0 must be an address',
    ],
    ['a network list that is none', scripted(`network: { allow: 'a.test' }`), 'network.allow must be an array'],
    ['a tool without execute', tool(`execute: undefined`), 'tools.0.execute is missing'],
    ['a tool without description', tool(`description: undefined`), 'tools.0.description is missing'],
    ['parameters that are no schema', tool(`parameters: 'x'`), 'tools.0.parameters must be a JSON Schema'],
    [
      'parameters of another type',
      tool(`parameters: { type: 'string' }`),
      'tools.0.parameters must describe an object',
    ],
    [
      'an invalid schema',
      tool(`parameters: { type: 'object', required: 'x' }`),
      'tools.0.parameters must be a valid JSON Schema',
    ],
    ['a tool named twice', scripted(`delegates: ['a', 'a']`), 'a is there twice'],
    ['a syntax error', `export default {`, 'the module cannot be loaded'],
    ['TypeScript that must be compiled', `enum X { A }\n${code('x')}`, 'the module cannot be loaded'],
    ['a module that throws', `throw new Error('no database')`, 'the module cannot be loaded: no database'],
    ['an import that does not exist', `import 'not-there'\n${code('x')}`, 'the module cannot be loaded'],
  ] as const) {
    it(`reports ${what}, naming the file, and loads the others`, async () => {
      const { agents, problems } = await load({ 'bad.ts': source, 'good.js': code('good') })
      expect([...agents.keys()]).to.deep.equal(['good'])
      expect(problems).to.have.length(1)
      expect(problems[0]?.file).to.equal(join(directory, 'bad.ts'))
      expect(problems[0]?.message).to.contain('bad.ts: ').and.contain(sentence)
      expect(logged).to.have.length(1)
    })
  }

  it('reports a name that is taken; the first agent stays', async () => {
    const { agents, problems } = await load({ 'a.js': code('same', `delegates: []`), 'b.js': code('same') })
    expect(agents.get('same')?.file).to.equal(join(directory, 'a.js'))
    expect(problems.map(({ message }) => message)).to.have.length(1)
    expect(problems[0]?.message).to.contain('b.js: name same is taken')
  })

  it('reports a folder that is not there', async () => {
    const { problems } = await loadAgents({ directories: [join(directory, 'none')], log: log as never })
    expect(problems[0]?.message).to.contain('AGENTS_DIR').and.contain('none')
  })

  it('keeps the settings, and how a tool may be called', async () => {
    const settings = `{ temperature: 0.5, topP: 1, maxOutputTokens: 10, reasoning: 'low', seed: -1, stopSequences: ['.'],
      providerOptions: { openai: { user: 'u' } } }`
    const { agents, problems } = await load({
      'a.js': scripted(`settings: ${settings}`),
      'b.js': tool(`retry: 'never', timeoutMs: 5000`).replace(`'x'`, `'y'`),
    })
    expect(problems).to.deep.equal([])
    expect(agents.get('x')?.settings).to.deep.include({ temperature: 0.5, reasoning: 'low', stopSequences: ['.'] })
    expect(agents.get('y')?.tools[0]).to.include({ retry: 'never', timeoutMs: 5000 })
  })

  it('changes the fingerprint with the settings', async () => {
    const { agents } = await load({
      'a.js': scripted(`settings: { temperature: 0 }`),
      'b.js': scripted(`settings: { temperature: 1 }`).replace(`'x'`, `'y'`),
    })
    expect(agents.get('x')?.fingerprint).not.to.equal(agents.get('y')?.fingerprint)
  })

  it('gives a zod tool its schema, its own check and its defaults', async () => {
    const { agents, problems } = await load({
      'a.mjs': `import { z } from '${ZOD}'
        export default { name: 'a', role: 'r', goal: 'g', run: () => 1, tools: [{ name: 't', description: 'd',
          parameters: z.object({ city: z.string().describe('Where'), days: z.number().default(3) }),
          execute: (args) => args }] }`,
    })
    expect(problems).to.deep.equal([])
    const loaded = agents.get('a')?.tools[0]
    expect(loaded?.parameters).to.deep.include({ type: 'object', required: ['city'] })
    expect(loaded?.parameters.properties).to.have.nested.property('city.description', 'Where')
    expect(loaded?.validate({ city: 'Bern' })).to.equal(undefined)
    expect(loaded?.validate({ city: 5 })).to.contain('arguments.city')
    expect(loaded?.execute({ city: 'Bern' }, {} as never)).to.deep.equal({ city: 'Bern', days: 3 })
  })

  it('checks arguments against a JSON Schema without coercing them', async () => {
    const parameters = `{ properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false }`
    const { agents } = await load({ 'a.js': tool(`parameters: ${parameters}`) })
    const loaded = agents.get('x')?.tools[0]
    expect(loaded?.parameters).to.include({ type: 'object', additionalProperties: false })
    expect(loaded?.validate({ n: 1 })).to.equal(undefined)
    expect(loaded?.validate({ n: '1' })).to.equal('arguments.n must be integer')
    expect(loaded?.validate({})).to.contain(`must have required property 'n'`)
    expect(loaded?.validate({ n: 1, m: 2 })).to.contain('(m)')
    expect(loaded?.validate(undefined)).to.contain('must be object')
  })

  it('offers a tool without parameters as one that takes nothing', async () => {
    const { agents } = await load({ 'a.js': tool('parameters: undefined') })
    const loaded = agents.get('x')?.tools[0]
    expect(loaded?.parameters).to.deep.equal({ type: 'object', properties: {}, required: [] })
    expect(loaded?.validate({})).to.equal(undefined)
    expect(loaded?.validate([])).to.contain('must be object')
  })

  it('gives every schema type, properties and required', async () => {
    const { agents } = await load({ 'a.js': tool('') })
    expect(agents.get('x')?.tools[0]?.parameters).to.deep.equal({ type: 'object', properties: {}, required: [] })
  })

  it('changes the fingerprint with what an agent does', async () => {
    const { agents } = await load({
      'a.js': code('a', `tools: []`),
      'b.js': code('b', `tools: [{ name: 't', description: 'd', parameters: {}, execute: () => 1 }]`),
      'c.js': code('c', `tools: [{ name: 't', description: 'd', parameters: {}, execute: () => 2 }]`),
    })
    expect(new Set([...agents.values()].map((agent) => agent.fingerprint)).size).to.equal(3)
  })
})

describe('the agents folder of the project', () => {
  const log = { warn: () => expect.fail('no warning'), error: () => undefined } as never

  it('holds the examples, and nothing that is reported', async () => {
    const { agents, problems } = await loadAgents({ directories: [dirname(EXAMPLES_DIR)], log })
    expect(problems).to.deep.equal([])
    expect([...agents.values()].every(({ file }) => file.startsWith(EXAMPLES_DIR))).to.equal(true)
    expect([...agents.keys()]).to.include.members(['researcher', 'analyst', 'writer', 'assistant', 'coordinator'])
  })

  it('is loaded once when it is named twice', async () => {
    const { problems } = await loadAgents({ directories: [dirname(EXAMPLES_DIR), EXAMPLES_DIR], log })
    expect(problems).to.deep.equal([])
  })

  it('runs every scripted example on MODEL, and leaves plain code alone', async () => {
    const { agents, problems } = await loadAgents({ directories: [EXAMPLES_DIR], log, modelOverride: 'openai/m' })
    expect(problems).to.deep.equal([])
    for (const agent of agents.values()) {
      if (agent.kind === 'code') expect(agent.model).to.equal(undefined)
      else expect(agent).to.include({ model: 'openai/m', script: undefined })
    }
  })

  it('says in plain words that MODEL is wrong', async () => {
    const { problems } = await loadAgents({ directories: [EXAMPLES_DIR], log, modelOverride: 'gpt' })
    expect(problems[0]?.message).to.contain('provider/model')
  })

  it('leaves agents of the user on their own model', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'agents-'))
    const own = join(directory, 'own.mjs')
    const definition = pathToFileURL(join(dirname(EXAMPLES_DIR), 'definition.ts')).href
    await writeFile(
      own,
      `import { defineAgent } from '${definition}'
       export default defineAgent({ name: 'own', role: 'r', goal: 'g', model: 'groq/m' })`,
    )
    const { agents } = await loadAgents({ directories: [directory], log, modelOverride: 'openai/m' })
    await rm(directory, { recursive: true })
    expect(agents.get('own')?.model).to.equal('groq/m')
  })
})
