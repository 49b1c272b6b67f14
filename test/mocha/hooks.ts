import { setImmediate } from 'node:timers/promises'
import type { RootHookObject } from 'mocha'
import { leftProcesses, recentLogs } from '../support/processes.ts'
import { openHandles } from './open-handles.ts'

/** What earlier files of this process left open: it has failed them, and none of those that follow. */
let leftBefore = 0

/** Each file runs in a process that others follow in: what it leaves open fails it. */
export const mochaHooks: RootHookObject = {
  /** After a failed test: what the processes of the service logged last. */
  afterEach(this: Mocha.Context) {
    if (this.currentTest?.state !== 'failed') return
    const logs = recentLogs()
    if (logs !== '') console.error(logs)
  },
  async afterAll(this: Mocha.Context) {
    // Mocha sets a timer for this hook once it has returned its promise; it would be among what is open.
    await setImmediate()
    this.test?.clearTimeout()
    const left = [...leftProcesses(), ...(await openHandles(leftBefore))]
    if (left.length <= leftBefore) return
    leftBefore = left.length
    throw new Error([`Left open by ${this.test?.parent?.suites[0]?.file}:`, ...left].join('\n  '))
  },
}
