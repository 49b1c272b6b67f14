import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { takeLock, type HeldLock } from '../../dev/lock-file.ts'
import { identify } from '../../dev/process-identity.ts'
import { gone, runCommand } from './command.ts'

describe('a lock file', () => {
  let folder: string
  let path: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-lock-'))
    path = join(folder, 'the.lock')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is held by one, and free again after its release', async () => {
    const lock = takeLock(path, 'first') as HeldLock
    expect(takeLock(path, 'second')).to.have.nested.property('holder.purpose', 'first')
    lock.release()
    expect(takeLock(path, 'third')).to.have.property('release')
    expect(await readdir(folder)).to.deep.equal(['the.lock'])
  })

  it('is taken over from a process that died, and from one whose pid another has now', async () => {
    const dead = runCommand(process.execPath, ['-e', ''], {})
    await dead.ended
    for (const holder of [
      { pid: dead.pid, began: '1' },
      { pid: process.pid, began: '1' },
    ]) {
      await writeFile(path, JSON.stringify({ ...holder, purpose: 'old' }))
      const lock = takeLock(path, 'new') as HeldLock
      lock.release()
    }
  })

  it('is still held while the cleaner of its dead holder lives', async () => {
    const cleaner = runCommand('/bin/sleep', ['60'], {})
    await writeFile(
      path,
      JSON.stringify({ pid: process.pid, began: '1', purpose: 'old', cleaner: identify(cleaner.pid) }),
    )
    expect(takeLock(path, 'new')).to.have.nested.property('holder.purpose', 'old')
    cleaner.signal('SIGKILL')
    await gone(cleaner.pid)
    expect(takeLock(path, 'new')).to.have.property('release')
  })
})
