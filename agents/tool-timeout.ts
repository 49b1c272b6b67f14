import pTimeout from 'p-timeout'
import type { AgentContext } from './definition.ts'

/**
 * Runs a tool that may take at most `timeoutMs`. Its signal fires when the time is over, and nobody waits for it then,
 * whether or not it heeds the signal.
 * @throws Error with a sentence for the model when the time is over; whatever the tool throws otherwise.
 */
export async function runWithTimeout(
  timeoutMs: number,
  context: AgentContext,
  run: (context: AgentContext) => unknown,
): Promise<unknown> {
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  // A tool that heeds the signal at once fails with an error of its own, a turn later than this one.
  const fallback = (): never => {
    const error = new Error(`the tool gave no result within ${timeoutMs / 1000} seconds`)
    over.abort(error)
    throw error
  }
  return pTimeout(Promise.resolve(run({ ...context, signal })), { milliseconds: timeoutMs, fallback })
}
