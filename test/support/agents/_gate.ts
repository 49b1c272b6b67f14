import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Folder that a test and its agents share: what happened is counted there, outside the service. */
const folder = process.env.TEST_FOLDER ?? ''

const POLL_MS = 10
/** Those who wait at the same gate look for it together: hundreds of them must not keep the worker busy. */
const opening = new Map<string, Promise<void>>()

/** Appends a line to the count of a job. */
export function count(jobId: string, line: string): void {
  appendFileSync(join(folder, `${jobId}.count`), `${line}\n`)
}

/** Waits until the test opens this gate, or the signal fires. */
export async function gate(name: string, signal?: AbortSignal): Promise<void> {
  const opened = opening.get(name) ?? untilOpen(name)
  opening.set(name, opened)
  if (signal === undefined) return opened
  signal.throwIfAborted()
  const left = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: left.signal })
  })
  await Promise.race([opened, aborted]).finally(() => left.abort())
}

async function untilOpen(name: string): Promise<void> {
  // A gate that is never opened must not keep a worker from ending.
  while (!existsSync(join(folder, `${name}.open`))) await sleep(POLL_MS, undefined, { ref: false })
  opening.delete(name)
}
