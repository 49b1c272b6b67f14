import inspector from 'node:inspector'
import { hostname } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Work } from '../activities/attempt/in-process-runs.ts'

/** How often the main thread says that it turns, and is looked after. */
const TICK_MS = 500

interface Watched {
  /** How often the main thread has turned. */
  turns: Int32Array
  /** Looks without a turn before the process is ended. */
  patience: number
  tickMs: number
  /** What is written to stderr then. */
  lastWords: string
}

/**
 * Ends this process when code of an agent keeps its main thread for so long that nothing else turns: such a worker still
 * takes tasks from Temporal, which nobody does until they time out. What it ran goes on elsewhere, as after a crash, and who is to
 * blame is counted. Time in which the whole process stands still (SIGSTOP, a paused machine, a debugger) does not count.
 * @param frozenMs - how long the main thread may not turn, in ms.
 * @param work - what enters code of agents. Its first call begins the watch: the thread takes 10 MB, which an idle worker does without.
 */
export function watched(frozenMs: number, work: Work): Work {
  let isWatched = false
  return (run, control) => {
    // Somebody who debugs it stops it where they like.
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

/** Runs in the thread, which is made from its text: it may use nothing from outside. */
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
    // The process's own streams go through the thread that does not turn.
    writeSync(2, `${lastWords.replace('"time":0', `"time":${Date.now()}`)}\n`)
    process.kill(process.pid, 'SIGKILL')
    // The first process of a container is ended by no signal from inside, but by a fault of its own.
    process.getBuiltinModule('node:v8').setFlagsFromString('--allow-natives-syntax')
    process.getBuiltinModule('node:vm').runInThisContext('%SystemBreak()')
  }, tickMs)
}
