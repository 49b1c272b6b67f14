import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'

const RETRY_MS = 1_000

/**
 * Repeats the work until it succeeds. A worker that starts before its servers waits for them, and logs the server's
 * name.
 */
export async function retryUntilConnected<Result>(
  server: string,
  log: Log,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      log.warn({ error: messageOf(error) }, `waiting for ${server}`)
      await sleep(RETRY_MS)
    }
  }
}
