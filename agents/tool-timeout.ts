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
  const { promise: late, reject } = Promise.withResolvers<never>()
  const over = new AbortController()
  const timer = setTimeout(() => {
    const error = new Error(`the tool gave no result within ${timeoutMs / 1000} seconds`)
    // First the rejection: a tool that heeds the signal at once would otherwise win with an error of its own.
    reject(error)
    over.abort(error)
  }, timeoutMs)
  try {
    const signal = AbortSignal.any([context.signal, over.signal])
    return await Promise.race([Promise.resolve(run({ ...context, signal })), late])
  } finally {
    clearTimeout(timer)
  }
}
