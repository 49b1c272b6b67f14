import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keeper } from './keeper.ts'
import { takeLock, type HeldLock } from './lock-file.ts'
import { lives } from './process-identity.ts'
import type { Say } from './say.ts'

const POLL_MS = 100

/** The absolute path of the data folder of the local stack. */
export function dataDirOf(environment: NodeJS.ProcessEnv): string {
  return resolve(environment.DATA_DIR || '.data')
}

/**
 * Locks a data folder, so that only this process runs servers on it. If the last holder was killed, waits until its
 * servers have ended.
 * @param command - name of this process in the message of a second one, such as `npm start`.
 * @throws Error that names the process that holds the lock.
 */
export async function lockDataDir(dataDir: string, command: string, say: Say): Promise<HeldLock> {
  for (let waited = false; ; waited = true) {
    const lock = takeLock(join(dataDir, 'stack.lock'), command)
    if (!('holder' in lock)) {
      keeper.onStart((pid) => lock.setCleaner(pid))
      return lock
    }
    const { holder } = lock
    if (lives(holder)) {
      throw new Error(
        `${holder.purpose} (pid ${holder.pid}) already runs on ${dataDir}. Stop it first, or give this one a folder of its own: DATA_DIR=… ${command}`,
      )
    }
    if (!waited) say('The last run was killed; waiting for its servers to end.')
    await delay(POLL_MS)
  }
}
