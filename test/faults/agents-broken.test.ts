import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestService, TEST_AGENTS, untilEnded, type TestService } from '../support/service.ts'

const MODULES: Record<string, string> = {
  'no-syntax.ts': 'export default { name: ',
  'throws.ts': "throw new Error('cannot even be loaded')",
  'no-agent.ts': 'export const agent = {}',
  'no-role.ts': "export default { name: 'no-role', run: () => 1 }",
  'twin.ts': "export default { name: 'upper', role: 'Twin', goal: 'Take a name that is taken', run: () => 'twin' }",
  'good.ts': "export default { name: 'good', role: 'Good', goal: 'Work beside broken ones', run: () => 'works' }",
}

describe('Agent modules that cannot be used', function () {
  this.timeout(60_000)
  let service: TestService
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-broken-agents-'))
    await Promise.all(Object.entries(MODULES).map(([file, text]) => writeFile(join(folder, file), text)))
    service = await startTestService({ agentsDir: `${TEST_AGENTS},${folder},${join(folder, 'missing')}` })
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('are named in the log, and the others work', async () => {
    const logs = await service.worker.logs()
    const errors = logs
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: number })
      .filter(({ level }) => level >= 40)
      .map((line) => JSON.stringify(line))
    for (const file of ['no-syntax.ts', 'throws.ts', 'no-agent.ts', 'no-role.ts', 'twin.ts']) {
      expect(
        errors.some((line) => line.includes(file)),
        `${file} in ${errors.join('\n')}`,
      ).to.equal(true)
    }
    for (const [agent, inputs, result] of [
      ['good', {}, 'works'],
      ['upper', { text: 'a' }, 'A'],
    ] as const) {
      const { body } = await service.request('POST', '/api/prompts', { prompt_name: agent, inputs })
      const ended = await untilEnded(service, body.prompt_id)
      expect(ended.body.outputs).to.deep.equal({ result })
    }
    const unknown = await service.request('POST', '/api/prompts', { prompt_name: 'no-role', inputs: {} })
    expect(unknown.status).to.equal(404)
  })
})
