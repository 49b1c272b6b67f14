import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** The settings for allowed origins and host names. */
export interface OriginRules {
  HOST: string
  CORS_ORIGIN: readonly string[]
  ALLOWED_HOSTS: readonly string[]
}

/** Values of Sec-Fetch-Site for requests by a page of the same origin or by the user. */
const OWN_SITES = ['same-origin', 'none']

/**
 * Whether a web page of another origin that CORS_ORIGIN does not list makes this request. Other clients than browsers send
 * neither header. Requests of images and links have no `Origin`, so `Sec-Fetch-Site` decides.
 */
export function isForeignPage(headers: IncomingHttpHeaders, { CORS_ORIGIN }: OriginRules): boolean {
  const { origin, host = '' } = headers
  if (origin === undefined) return !OWN_SITES.includes(String(headers['sec-fetch-site'] ?? 'none'))
  if (CORS_ORIGIN.includes('*') || CORS_ORIGIN.includes(origin)) return false
  const own = URL.parse(origin)
  // Behind a proxy the service does not know its own scheme, so both sides omit the default port of the scheme.
  return own === null || own.host === '' || own.host !== URL.parse(`${own.protocol}//${host}`)?.host
}

/**
 * Whether a service without keys may be used under this host name. Any web page could use a name that its owner points here
 * (DNS rebinding); loopback names and IP addresses are safe.
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
