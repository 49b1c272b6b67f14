import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import type { ThreadMessage } from './serve-thread.ts'

export interface ThreadPoolOptions {
  /** A module that calls `serveThread`. */
  module: URL
  maxThreads: number
  /** Time limit of one input after its thread has loaded. Then the thread is terminated. */
  deadlineMs: number
  /** Idle time after which a thread is terminated. */
  idleMs: number
}

/** Threads for work that computes without a pause: none before the first input, at most `maxThreads` at a time. */
export interface ThreadPool<Input, Output> {
  /**
   * Processes the input in a thread. It waits while all threads are busy.
   * @throws Error with the message of the work's error, or that it ran out of time or memory; the signal's reason.
   */
  run: (input: Input, signal: AbortSignal) => Promise<Output>
  /** Terminates all threads; their work fails. */
  close: () => Promise<void>
}

/** Time limit for loading the thread's modules on a busy machine. */
const START_TIMEOUT_MS = 30_000
const MAX_HEAP_MB = 256

/** A thread and the timer that terminates it while it is idle. */
interface Thread {
  worker: Worker
  ready: boolean
  retirement?: NodeJS.Timeout
}

/** Creates a pool. It does not keep the process alive. */
export function createThreadPool<Input, Output>(options: ThreadPoolOptions): ThreadPool<Input, Output> {
  const { module, maxThreads, deadlineMs, idleMs } = options
  const limit = pLimit(maxThreads)
  const all = new Set<Thread>()
  const idle: Thread[] = []

  function take(): Thread {
    const known = idle.pop()
    clearTimeout(known?.retirement)
    if (known !== undefined) return known
    // The thread gets none of the process's environment or options, because reading pages needs neither.
    const limits = { maxOldGenerationSizeMb: MAX_HEAP_MB }
    const worker = new Worker(module, { env: {}, execArgv: [], resourceLimits: limits })
    const thread = { worker, ready: false }
    all.add(thread)
    // An idle thread can fail too. Running work has its own listeners.
    worker.on('error', () => undefined).once('exit', () => void end(thread))
    return thread
  }

  async function end(thread: Thread): Promise<void> {
    clearTimeout(thread.retirement)
    all.delete(thread)
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    await thread.worker.terminate()
  }

  async function work(input: Input, signal: AbortSignal): Promise<Output> {
    signal.throwIfAborted()
    const thread = take()
    try {
      const answer = await answerOf<Output>(thread, input, signal, deadlineMs)
      thread.worker.unref()
      thread.retirement = setTimeout(() => void end(thread), idleMs).unref()
      idle.push(thread)
      if ('error' in answer) throw new Error(answer.error)
      return answer.output
    } catch (error) {
      if (!idle.includes(thread)) await end(thread)
      throw error
    }
  }

  return {
    // An abort takes effect at once, even while the input waits for its turn.
    run: async (input, signal) => {
      signal.throwIfAborted()
      const output = limit(() => work(input, signal))
      return pTimeout(output, { milliseconds: Infinity, signal })
    },
    close: async () => void (await Promise.all([...all].map(end))),
  }
}

/** Waits for the result of an input. It rejects if the thread ended, the time is over or the signal fired. */
function answerOf<Output>(
  thread: Thread,
  input: unknown,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<Exclude<ThreadMessage<Output>, 'ready'>> {
  const { worker } = thread
  const { promise, resolve, reject } = Promise.withResolvers<Exclude<ThreadMessage<Output>, 'ready'>>()
  let timer: NodeJS.Timeout
  const allow = (ms: number, sentence: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => reject(new Error(sentence)), ms)
  }
  const send = (): void => {
    thread.ready = true
    allow(deadlineMs, `reading it takes longer than ${deadlineMs / 1000} seconds`)
    worker.postMessage(input)
  }
  const onMessage = (message: ThreadMessage<Output>): void => (message === 'ready' ? send() : resolve(message))
  const onError = (error: NodeJS.ErrnoException): void =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Error('reading it takes too much memory') : error)
  const onExit = (): void => reject(new Error('the thread that read it has ended'))
  const onAbort = (): void => reject(signal.reason as Error)
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  signal.addEventListener('abort', onAbort)
  worker.ref()
  if (thread.ready) send()
  else allow(START_TIMEOUT_MS, 'the thread that reads pages does not start')
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    signal.removeEventListener('abort', onAbort)
  })
}
