/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** Where the next page begins; null at the end. */
  nextCursor: string | null
  /** How many there are in all, where the service counts them. */
  total: number | null
}

/** A query of a list: at most `limit` items a request, from a cursor or an offset. */
export interface PageQuery {
  limit?: number | undefined
  cursor?: string | undefined
  offset?: number | undefined
}

/** What the service responds with to a list's query, items aside. */
export interface ListResponse {
  next_cursor?: string | null
  total?: number
}

/** Asks for one page. */
type FetchPage<Item> = (query: PageQuery) => Promise<{ items: Item[]; response: ListResponse }>

const PAGE_SIZE = 200

/**
 * A list of the service as an async iterable over all of its items; pages are fetched while it is iterated. Where a
 * service gives no `next_cursor`, the next page is asked for by offset.
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #fetchPage: FetchPage<Item>
  readonly #query: PageQuery

  constructor(fetchPage: FetchPage<Item>, query: PageQuery) {
    this.#fetchPage = fetchPage
    this.#query = query
  }

  /** One page, from a cursor or from the start. */
  async page(query: PageQuery = {}): Promise<Page<Item>> {
    const { items, response } = await this.#fetchPage({ ...this.#query, ...query })
    return { items, nextCursor: response.next_cursor ?? null, total: response.total ?? null }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const items of this.pages()) yield* items
  }

  /** The items page by page. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    const limit = this.#query.limit ?? PAGE_SIZE
    let query: PageQuery = { ...this.#query, limit }
    let offset = this.#query.offset ?? 0
    let first: string | undefined
    for (;;) {
      const { items, response } = await this.#fetchPage(query)
      // A service that knows neither cursor nor offset gives the first page again and again.
      const firstNow = JSON.stringify(items[0])
      if (items.length === 0 || firstNow === first) return
      first = firstNow
      yield items
      offset += items.length
      const { next_cursor: cursor } = response
      if (cursor === null || (cursor === undefined && items.length < limit)) return
      query = cursor === undefined ? { ...query, offset } : { ...query, cursor, offset: undefined }
    }
  }
}
