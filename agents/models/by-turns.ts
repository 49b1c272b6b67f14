/**
 * Lets few pass in each turn of the event loop, in their order, so that what they begin to wait for can come before the others pass.
 * @param most - how many pass in a turn.
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
