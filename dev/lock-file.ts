import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../core/errors.ts'
import { identify, lives, type ProcessIdentity } from './process-identity.ts'

/** The holder of a lock. */
export interface LockHolder extends ProcessIdentity {
  /** Purpose of the holder, for messages. */
  purpose: string
  /** A process that cleans up after the holder; the lock is held while either process lives. */
  cleaner?: ProcessIdentity
}

/** A lock that this process holds. */
export interface HeldLock {
  /** Names the process whose end has to be awaited when this one dies. */
  setCleaner: (pid: number | undefined) => void
  release: () => void
}

/**
 * Acquires a lock file for this process, or returns its holder. Takes over the lock of a dead process; does not use
 * timestamps.
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
      // Creating a link is atomic and never overwrites a file.
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

/** Removes a stale lock by renaming it, which only one of several processes can do; restores a fresh lock that was moved by mistake. */
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
