import type { RootHookObject } from 'mocha'
import { leftProcesses, recentLogs } from '../../test/support/processes.ts'
import { stopSharedStack } from '../../test/support/stack.ts'
import { openHandles } from './open-handles.ts'

/** After a failed test: what the processes of the service logged last. */
export const mochaHooks: RootHookObject = {
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state !== 'failed') return
    const logs = recentLogs()
    if (logs !== '') console.error(logs)
  },
}

/** After the last test: stops the shared servers, then looks for what tests left open; the run fails when there is something. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopSharedStack()
  const left = [...leftProcesses(), ...(await openHandles())]
  if (left.length === 0) return
  console.error(`Left open by tests:\n${left.map((item) => `  ${item}`).join('\n')}`)
  process.send?.({ left: left.length })
  // What is open would keep this process alive for ever.
  process.exit(1)
}
