/** One page of a list. */
export interface Page<Item> {
  items: Item[]
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null
  /** Total number of items, if the service counts them. */
  total: number | null
}

/** A query of a list: at most `limit` items per request, from a cursor or an offset. */
export interface PageQuery {
  limit?: number | undefined
  cursor?: string | undefined
  offset?: number | undefined
}

/** The response to a list query, without the items. */
export interface ListResponse {
  next_cursor?: string | null
  total?: number
}

/** Requests one page. */
type FetchPage<Item> = (query: PageQuery) => Promise<{ items: Item[]; response: ListResponse }>

const PAGE_SIZE = 200

/**
 * A list of the service as an async iterable over all items; fetches pages during the iteration. If a service
 * returns no `next_cursor`, the next page is requested by offset.
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
      // A service that supports neither cursor nor offset returns the first page every time.
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
