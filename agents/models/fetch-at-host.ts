const MAX_REDIRECTS = 5
/** Redirects that repeat the same request with its body. */
const REPEATING = new Set([307, 308])

/**
 * Creates a `fetch` that follows redirects only within the same host, because a request contains the key, in whatever
 * header, and people's texts. For any other redirect, the result is the redirect response itself.
 */
export function fetchAtHost(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input)
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(redirects === 0 ? input : url.href, { ...init, redirect: 'manual' })
      const location = REPEATING.has(response.status) ? response.headers.get('location') : null
      const next = location === null ? null : URL.parse(location, url.href)
      if (next === null || !isAtHost(next, url) || redirects === MAX_REDIRECTS) return response
      await response.body?.cancel()
      url = next
    }
  }
}

function isAtHost(next: URL, { origin, hostname }: URL): boolean {
  return next.origin === origin || (next.protocol === 'https:' && next.hostname === hostname && next.port === '')
}
