import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../core/errors.ts'
import { identify, lives, type ProcessIdentity } from './process-identity.ts'

/** Who holds a lock. */
export interface LockHolder extends ProcessIdentity {
  /** What it does, for people. */
  purpose: string
  /** A process that cleans up after the holder; the lock is held while either lives. */
  cleaner?: ProcessIdentity
}

/** A lock that this process holds. */
export interface HeldLock {
  /** Names the process whose end has to be awaited when this one dies. */
  setCleaner: (pid: number | undefined) => void
  release: () => void
}

/**
 * Takes a lock file for this process, or tells who holds it. The lock of a process that died is taken over; no clock is
 * involved.
 */
export function takeLock(path: string, purpose: string): HeldLock | { holder: LockHolder } {
  const self = identify(process.pid)
  if (self === undefined) throw new Error('This process cannot see itself in the process table.')
  mkdirSync(dirname(path), { recursive: true })
  const mine: LockHolder = { ...self, purpose }
  const temporary = `${path}.${process.pid}`
  for (;;) {
    writeFileSync(temporary, JSON.stringify(mine))
    try {
      // A link appears whole or not at all, and never over another.
      linkSync(temporary, path)
      rmSync(temporary)
      return held(path, mine)
    } catch (error) {
      rmSync(temporary)
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = readHolder(path)
    if (holder !== undefined && (lives(holder) || (holder.cleaner !== undefined && lives(holder.cleaner)))) {
      return { holder }
    }
    removeStale(path, holder)
  }
}

function held(path: string, mine: LockHolder): HeldLock {
  return {
    setCleaner: (pid) => {
      const cleaner = pid === undefined ? undefined : identify(pid)
      const temporary = `${path}.${process.pid}`
      writeFileSync(temporary, JSON.stringify({ ...mine, cleaner }))
      renameSync(temporary, path)
    },
    release: () => rmSync(path, { force: true }),
  }
}

function readHolder(path: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LockHolder
  } catch {
    return undefined
  }
}

/** Of several that find the same stale lock only one moves it away; who moved a fresh one by mistake puts it back. */
function removeStale(path: string, stale: LockHolder | undefined): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
    const moved = readHolder(aside)
    if (moved !== undefined && moved.pid !== stale?.pid) linkSync(aside, path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
