import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../core/errors.ts'
import { takeLock } from '../lock-file.ts'
import { seconds, withReminders, type Say } from '../say.ts'
import type { Program } from './program.ts'

export interface GetOptions {
  /** Folder of the cache; programs are stored in its `bin`. */
  cache: string
  say: Say
  /** Returns why a program does not run; `undefined` when it runs. */
  problemOf: (path: string) => Promise<string | undefined>
}

const POLL_MS = 500

/**
 * Downloads or builds a program into the cache by the first way that works. The program appears there atomically; if several
 * processes need it at the same time, one gets it and the others wait.
 * @throws Error with the reason of each failed way.
 */
export async function getProgram(program: Program, options: GetOptions): Promise<string> {
  const { cache, say, problemOf } = options
  const target = join(cache, 'bin', program.name)
  const lockPath = join(cache, `${program.name}.lock`)
  for (let waited = false; ; waited = true) {
    const lock = takeLock(lockPath, `getting ${program.name}`)
    if ('holder' in lock) {
      if (!waited) say(`${program.name}: another process (pid ${lock.holder.pid}) is getting it; waiting.`)
      await delay(POLL_MS)
      continue
    }
    try {
      if (waited && (await problemOf(target)) === undefined) return target
      return await tryWays(program, target, options)
    } finally {
      lock.release()
    }
  }
}

async function tryWays(program: Program, target: string, { cache, say, problemOf }: GetOptions): Promise<string> {
  await removeRemains(cache, program)
  await mkdir(join(cache, 'bin'), { recursive: true })
  const failures: string[] = []
  for (const way of program.ways) {
    const startedAt = Date.now()
    const folder = await mkdtemp(join(cache, prefix(program)))
    say(`${program.name}: ${way.title}.`)
    try {
      const path = await withReminders(say, `${program.name}: ${way.title}`, way.get(folder))
      await chmod(path, 0o755)
      const problem = await problemOf(path)
      if (problem !== undefined) throw new Error(`it does not run here: ${problem}`)
      await rename(path, target)
      say(`${program.name}: got it in ${seconds(startedAt)}; it is kept in ${target}.`)
      return target
    } catch (error) {
      failures.push(messageOf(error))
      say(`${program.name}: that way failed after ${seconds(startedAt)}: ${messageOf(error)}.`)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  throw new Error(
    `${program.name} could not be had: ${failures.join('; ')}. Install it and put it on PATH, or name it in ${program.variable}.`,
  )
}

/** Removes the folders of killed attempts. */
async function removeRemains(cache: string, program: Program): Promise<void> {
  const remains = (await readdir(cache)).filter((name) => name.startsWith(prefix(program)))
  await Promise.all(remains.map((name) => rm(join(cache, name), { recursive: true, force: true })))
}

function prefix({ name }: Program): string {
  return `getting-${name}-`
}
