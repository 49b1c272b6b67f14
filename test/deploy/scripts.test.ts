import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')

describe('The scripts of deploy', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-deploy-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  describe('make-env.sh', () => {
    const make = (...args: string[]) =>
      run('sh', ['-c', 'umask 022; exec sh "$0" "$@"', join(ROOT, 'deploy/make-env.sh'), ...args], { cwd: folder })

    it('writes a file that only its owner can read, whatever the umask of the caller', async () => {
      await make()
      expect((await stat(join(folder, '.env'))).mode & 0o777).to.equal(0o600)
    })

    it('sets every variable that docker-compose.yml cannot do without, each to another value', async () => {
      await make('mine.env')
      const text = await readFile(join(folder, 'mine.env'), 'utf8')
      const set = new Map([...text.matchAll(/^(\w+)=(\w+)$/gm)].map(([, name, value]) => [name, value]))
      const compose = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8')
      const needed = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))
      expect([...set.keys()]).to.have.members([...needed])
      expect(new Set(set.values()).size).to.equal(set.size)
      const example = await readFile(join(ROOT, '.env.example'), 'utf8')
      for (const name of needed) expect(example).to.match(new RegExp(`^${name}=$`, 'm'))
    })

    it('never overwrites a file', async () => {
      await writeFile(join(folder, '.env'), 'A=1\n')
      const { stderr, code } = (await make().catch((error: unknown) => error)) as { stderr: string; code: number }
      expect(code).to.equal(1)
      expect(stderr).to.equal(
        '.env cannot be created, or is there already: the data of an installation may be bound to its passwords.\n',
      )
      expect(await readFile(join(folder, '.env'), 'utf8')).to.equal('A=1\n')
    })
  })

  /** A compose that writes down what it is told; `failing` makes it refuse a command. */
  async function record(script: string, failing = 'nothing'): Promise<{ calls: string[]; code: number }> {
    const compose = join(folder, 'compose')
    const log = join(folder, 'calls')
    await writeFile(compose, `#!/bin/sh\necho "$@" >> "${log}"\ncase "$*" in *'${failing}'*) exit 3;; esac\n`)
    await chmod(compose, 0o755)
    const args = [join(ROOT, 'deploy', script), join(folder, 'copy')]
    const code = await run('sh', args, { env: { PATH: process.env.PATH, COMPOSE: compose } }).then(
      () => 0,
      (error: { code: number }) => error.code,
    )
    return { calls: (await readFile(log, 'utf8')).trim().split('\n'), code }
  }
  const place = (calls: string[], part: string): number => calls.findIndex((call) => call.includes(part))

  describe('backup.sh', () => {
    it('starts the stopped node again, and waits for it, before it copies the objects', async () => {
      const { calls, code } = await record('backup.sh')
      expect(code).to.equal(0)
      const [, , asked, stop, copy, start, waited, objects] = calls
      expect(asked).to.contain('await-secondary.ts mongo-3:27017')
      expect(stop).to.equal('stop mongo-3')
      expect(copy).to.contain('tar mongo-3')
      expect(start).to.equal('start mongo-3')
      expect(waited).to.contain('await-secondary.ts mongo-3:27017')
      expect(objects).to.contain('exec -T s3 tar')
      expect(calls).to.have.length(8)
    })

    it('stops no node while the replica set is not whole', async () => {
      const { calls, code } = await record('backup.sh', 'await-secondary')
      expect(code).to.equal(3)
      expect(place(calls, 'stop mongo-3')).to.equal(-1)
    })

    it('starts the node again when the copy fails', async () => {
      const { calls, code } = await record('backup.sh', 'tar mongo-3')
      expect(code).to.equal(3)
      expect(calls.at(-1)).to.equal('start mongo-3')
    })
  })

  describe('restore.sh', () => {
    it('leaves the gap in the trace ids after the databases and before the service', async () => {
      for (const name of ['temporal.sql', 'temporal_visibility.sql', 'mongodb.tar', 's3.tar']) {
        await run('mkdir', ['-p', join(folder, 'copy')])
        await writeFile(join(folder, 'copy', name), '')
      }
      const { calls, code } = await record('restore.sh')
      expect(code).to.equal(0)
      expect(calls.slice(-3)).to.deep.equal([
        'up --detach --no-deps --wait mongo-1 mongo-2 mongo-3',
        'run --rm --no-deps -T worker deploy/leave-trace-gap.ts',
        'up --detach --wait',
      ])
    })
  })
})
