import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../../core/errors.ts'

/** What a thread sends: that it has loaded, then one answer for each input. */
export type ThreadMessage<Output> = 'ready' | { output: Output } | { error: string }

/** Answers each input that a thread pool sends to this thread; what `work` throws is sent as its sentence. */
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
