import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('The image', function () {
  this.timeout(120_000)
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-image-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('builds the dashboard from what its stage copies', async () => {
    const stages = (await readFile(join(ROOT, 'Dockerfile'), 'utf8')).split(/^FROM /m)
    const stage = stages.find((each) => / AS dashboard$/m.test(each)) ?? ''
    const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
    expect(copied).to.include.members(['package.json', 'dashboard', 'client'])
    for (const name of copied) await cp(join(ROOT, name), join(folder, name), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await run(process.execPath, [join(folder, 'dashboard/build/main.ts')])
    expect(await readFile(join(folder, 'dist/dashboard/index.html'), 'utf8')).to.contain('<script')
  })
})
