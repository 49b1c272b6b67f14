/**
 * Waits for a promise, but not longer than until `signal` fires.
 * @throws an AbortError when it does; whatever the promise rejects with otherwise.
 */
export async function untilAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new DOMException('The model call was aborted', 'AbortError'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
