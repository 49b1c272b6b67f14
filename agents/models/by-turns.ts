/**
 * Creates a function that lets a few callers continue per turn of the event loop, in order. The next steps of these
 * callers can then run before the others continue.
 * @param most - number of callers per turn.
 */
export function byTurns(most: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  const pass = (): void => {
    for (const go of waiting.splice(0, most)) go()
    if (waiting.length > 0) setImmediate(pass)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(pass)
    })
}
