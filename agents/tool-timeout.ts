import pTimeout from 'p-timeout'
import type { AgentContext } from './definition.ts'

/**
 * Runs a tool for at most `timeoutMs`. After the time-out its signal is aborted, and the call ends even if the tool
 * ignores the signal.
 * @throws Error with a sentence for the model after the time-out; otherwise the tool's own error.
 */
export async function runWithTimeout(
  timeoutMs: number,
  context: AgentContext,
  run: (context: AgentContext) => unknown,
): Promise<unknown> {
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  // A tool that reacts to the signal fails with its own error one turn later than this one, so this one wins.
  const fallback = (): never => {
    const error = new Error(`the tool gave no result within ${timeoutMs / 1000} seconds`)
    over.abort(error)
    throw error
  }
  return pTimeout(Promise.resolve(run({ ...context, signal })), { milliseconds: timeoutMs, fallback })
}
