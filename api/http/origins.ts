import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** The settings that say which pages of the web may use the service, and under which names it is reached. */
export interface OriginRules {
  HOST: string
  CORS_ORIGIN: readonly string[]
  ALLOWED_HOSTS: readonly string[]
}

/** What a browser says of a request that a page of the same origin, or a person, has made. */
const OWN_SITES = ['same-origin', 'none']

/**
 * Whether a page of another origin makes this request without being named in CORS_ORIGIN. What is no browser sends
 * neither header, and is no foreign page. An image or a link has no `Origin`; `Sec-Fetch-Site` tells where it stands.
 */
export function isForeignPage(headers: IncomingHttpHeaders, { CORS_ORIGIN }: OriginRules): boolean {
  const { origin, host = '' } = headers
  if (origin === undefined) return !OWN_SITES.includes(String(headers['sec-fetch-site'] ?? 'none'))
  if (CORS_ORIGIN.includes('*') || CORS_ORIGIN.includes(origin)) return false
  const own = URL.parse(origin)
  // Behind a proxy the service does not know its own scheme; the port that it implies is left out on both sides.
  return own === null || own.host === '' || own.host !== URL.parse(`${own.protocol}//${host}`)?.host
}

/**
 * Whether a service without keys may be reached under this name. A name that somebody else owns may lead here from any
 * page (DNS rebinding); loopback names and addresses belong to nobody else.
 */
export function isKnownHost(headers: IncomingHttpHeaders, { HOST, ALLOWED_HOSTS }: OriginRules): boolean {
  if (headers.host === undefined || headers.host === '') return true
  const name = hostName(headers.host)
  if (name === undefined) return false
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true
  return [HOST, ...ALLOWED_HOSTS].some((allowed) => hostName(allowed) === name)
}

function hostName(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}
