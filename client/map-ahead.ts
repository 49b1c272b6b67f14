/** Maps items in order, with at most `ahead` concurrent calls; starts no further calls after a failure. */
export async function* mapAhead<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  ahead: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const pending: Promise<Result>[] = []
  for await (const item of items) {
    const result = map(item)
    // The promise is awaited later; this prevents an unhandled rejection until then.
    result.catch(() => {})
    pending.push(result)
    if (pending.length >= ahead) yield pending.shift() as Promise<Result>
  }
  for (const result of pending) yield await result
}
