/** Maps items in their order, with at most `ahead` calls under way; what follows a failure is not begun. */
export async function* mapAhead<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  ahead: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const pending: Promise<Result>[] = []
  for await (const item of items) {
    const result = map(item)
    // It is awaited in its turn; until then its failure is nobody's surprise.
    result.catch(() => {})
    pending.push(result)
    if (pending.length >= ahead) yield pending.shift() as Promise<Result>
  }
  for (const result of pending) yield await result
}
