import { ChildProcess } from 'node:child_process'
import { Server, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const TIMEOUT_MS = 3_000
const POLL_MS = 100

/** Resources that keep an idle process alive for a reason: its own output, and the channel to its parent. */
const EXPECTED = new Set(['TTYWrap', 'PipeWrap', 'FSReqCallback', 'FSReqPromise', 'CloseReq', 'Immediate'])

/**
 * What keeps this process alive although its work is done, one description each; things on their way out get some time.
 * @param expected - so many are not waited for.
 */
export async function openHandles(expected = 0): Promise<string[]> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const left = look()
    if (left.length <= expected || Date.now() > deadline) return left
    await delay(POLL_MS)
  }
}

function look(): string[] {
  const resources = process.getActiveResourcesInfo().filter((kind) => !EXPECTED.has(kind))
  if (resources.length === 0) return []
  return [...resources, ...handles().flatMap(describe)]
}

/** The handles themselves; undocumented, and the only way to tell which socket it is. */
function handles(): unknown[] {
  const { _getActiveHandles: list } = process as unknown as { _getActiveHandles?: () => unknown[] }
  return list?.call(process) ?? []
}

function describe(handle: unknown): string[] {
  if (handle instanceof ChildProcess) return [`process ${handle.pid}: ${handle.spawnargs.join(' ').slice(0, 120)}`]
  if (handle instanceof Server) return [`server listening at ${JSON.stringify(handle.address())}`]
  if (!(handle instanceof Socket) || handle.remoteAddress === undefined) return []
  return [`socket from port ${handle.localPort} to ${handle.remoteAddress}:${handle.remotePort}`]
}
