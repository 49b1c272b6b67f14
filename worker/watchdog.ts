import inspector from 'node:inspector'
import { hostname } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Work } from '../activities/attempt/in-process-runs.ts'

/** Interval of the checks; the main thread signals twice as often. */
const TICK_MS = 500

interface Watched {
  /** Counter of the main thread's signals. */
  turns: Int32Array
  /** Checks without a signal after which the process is ended. */
  patience: number
  tickMs: number
  /** The line written to stderr before the process is ended. */
  lastWords: string
}

/**
 * Ends this process if agent code blocks its main thread for too long. A blocked worker still receives tasks from
 * Temporal and holds them until they time out. Its runs continue in other workers, as after a crash, and the loss is
 * counted against the runs. Time in which the whole process is suspended (SIGSTOP, a paused machine, a debugger) does
 * not count.
 * @param frozenMs - the longest time that the main thread may be blocked, in ms.
 * @param work - enters agent code. The watchdog starts with the first call, because its thread takes 10 MB that an idle
 *   worker does not need.
 */
export function watched(frozenMs: number, work: Work): Work {
  let isWatched = false
  return (run, control) => {
    // A debugger may stop the process at any point.
    if (!isWatched && inspector.url() === undefined) {
      isWatched = true
      watch(frozenMs)
    }
    return work(run, control)
  }
}

function watch(frozenMs: number): void {
  const sentence = `The worker was busy for ${frozenMs} ms without a pause, and is ended: code of an agent must not keep the process`
  const entry = { level: 60, time: 0, pid: process.pid, hostname: hostname(), name: 'worker', msg: sentence }
  const turns = new Int32Array(new SharedArrayBuffer(4))
  const watched: Watched = {
    turns,
    patience: Math.ceil(frozenMs / TICK_MS),
    tickMs: TICK_MS,
    lastWords: JSON.stringify(entry),
  }
  setInterval(() => Atomics.add(turns, 0, 1), TICK_MS / 2).unref()
  const thread = new Worker(`(${watchTurns.toString()})()`, {
    eval: true,
    execArgv: [],
    workerData: watched,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  })
  thread.unref()
}

/** Runs in the thread. The thread evaluates the function's text, so the function must not use outer variables. */
function watchTurns(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads')
  const { writeSync } = process.getBuiltinModule('node:fs')
  const { turns, patience, tickMs, lastWords } = workerData as Watched
  let seen = -1
  let silent = 0
  setInterval(() => {
    const now = Atomics.load(turns, 0)
    silent = now === seen ? silent + 1 : 0
    seen = now
    if (silent < patience) return
    // The process's own streams need the blocked main thread.
    writeSync(2, `${lastWords.replace('"time":0', `"time":${Date.now()}`)}\n`)
    process.kill(process.pid, 'SIGKILL')
    // The first process of a container ignores signals from inside, so it must crash itself.
    process.getBuiltinModule('node:v8').setFlagsFromString('--allow-natives-syntax')
    process.getBuiltinModule('node:vm').runInThisContext('%SystemBreak()')
  }, tickMs)
}
