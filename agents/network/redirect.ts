import { NetworkError } from './network-error.ts'

/** A request as it is sent on one hop. */
export interface Hop {
  url: URL
  method: string
  headers: Headers
  body: Uint8Array<ArrayBuffer> | undefined
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** What goes on to another origin. Any other header may be a credential, whatever its name. */
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

/** Where a response leads; undefined when it is no redirect. */
export function redirectTarget({ status, headers }: Pick<Response, 'status' | 'headers'>): string | undefined {
  return REDIRECTS.has(status) ? (headers.get('location') ?? undefined) : undefined
}

/**
 * The request that follows a redirect, as the Fetch standard has it, but stricter: never from https to http, and to another
 * origin only with headers that cannot be credentials.
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
