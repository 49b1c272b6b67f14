import { NetworkError } from './network-error.ts'

/** A request of one hop. */
export interface Hop {
  url: URL
  method: string
  headers: Headers
  body: Uint8Array<ArrayBuffer> | undefined
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Headers that may be sent to another origin. Any other header may be a credential, whatever its name. */
const HARMLESS = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
])

/** Returns the target of a redirect; undefined for other responses. */
export function redirectTarget({ status, headers }: Pick<Response, 'status' | 'headers'>): string | undefined {
  return REDIRECTS.has(status) ? (headers.get('location') ?? undefined) : undefined
}

/**
 * Builds the request that follows a redirect according to the Fetch standard, with two stricter rules: it refuses
 * redirects from https to http, and it sends another origin only headers that cannot be credentials.
 * @throws NetworkError network_refused
 */
export function followRedirect(hop: Hop, status: number, location: string): Hop {
  const url = URL.parse(location, hop.url.href)
  if (url === null) throw new NetworkError('network_refused', `${hop.url.host} redirects to an address that is none.`)
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new NetworkError('network_refused', `${hop.url.host} redirects from https to http.`)
  }
  const becomesGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST')
  const keepsAll = url.origin === hop.url.origin
  const kept = [...hop.headers].filter(
    ([name]) => (keepsAll || HARMLESS.has(name)) && !(becomesGet && name.startsWith('content-')),
  )
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: new Headers(kept),
    body: becomesGet ? undefined : hop.body,
  }
}
