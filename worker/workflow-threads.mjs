// Preloaded by a worker process (node --import), and so by each of its threads. In the thread in which Temporal's SDK runs
// workflows it takes away two services that cost a quarter of what a short workflow costs the worker, and serve code that
// workflows here do not have: docs/decisions/2026-11-24-lean-workflow-threads.md. A worker without it works, and is slower.
import v8 from 'node:v8'
import { Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const SDK_THREAD = 'workflow-worker-thread.js'

if (!isMainThread && process.argv[1]?.endsWith(SDK_THREAD) === true) {
  skipTimeouts()
  skipPromiseHooks()
}

/** A time-out makes Node start and join a thread for each of the some ten calls into a workflow's sandbox. */
function skipTimeouts() {
  const { runInContext } = Script.prototype
  Script.prototype.runInContext = function (context, options) {
    return runInContext.call(this, context, { ...options, timeout: undefined })
  }
}

/** The SDK records the stack of every promise of every workflow, for "Call Stack" in Temporal's UI; it goes on without. */
function skipPromiseHooks() {
  v8.promiseHooks.createHook = () => {
    const { warn } = console
    // The SDK reports that on the console, where it would stand between the lines of the log.
    console.warn = () => void (console.warn = warn)
    throw new Error('Promise hooks are off in threads that run workflows.')
  }
}
