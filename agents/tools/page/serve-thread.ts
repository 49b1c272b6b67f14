import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../../core/errors.ts'

/** Messages of a thread: `ready` after it has loaded, then one result for each input. */
export type ThreadMessage<Output> = 'ready' | { output: Output } | { error: string }

/**
 * Serves the inputs that a thread pool sends to this thread. If `work` throws, the thread sends the error's message.
 */
export function serveThread<Input, Output>(work: (input: Input) => Output): void {
  const answer = (message: ThreadMessage<Output>): void => parentPort?.postMessage(message)
  parentPort?.on('message', (input: Input) => {
    try {
      answer({ output: work(input) })
    } catch (error) {
      answer({ error: messageOf(error) })
    }
  })
  answer('ready')
}
