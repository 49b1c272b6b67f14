import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config.ts'
import type { Role } from '../../contracts/endpoint.ts'
import { TroupeError } from '../../core/errors.ts'
import { readKeysFile, type ApiKey } from './keys-file.ts'

/** The caller of a request, identified by its key. */
export interface Caller {
  /** Null when the service has no keys. */
  name: string | null
  role: Role
  /** Relative share of the worker capacity; the default is 1. */
  weight: number
  agents: readonly string[] | undefined
  /** Identifies the key even if its name changes; empty when the service has no keys. */
  keyDigest: string
}

/** The keys of a process. */
export interface ApiKeys {
  /** Whether the service has no keys, so that every caller is allowed. */
  readonly isOpen: boolean
  /**
   * Identifies a caller by `X-API-Key`, `Authorization: Bearer`, or `api_key` in a query.
   * @param query - for WebSockets only, which also accept `api_key`.
   * @returns undefined when no credential matches a key.
   */
  identify: (headers: IncomingHttpHeaders, query?: URLSearchParams) => Caller | undefined
  /** The caller with the key of this `keyDigest`; undefined when the key has been removed. */
  find: (keyDigest: string) => Caller | undefined
  /** All keys, in the order of the configuration. */
  list: () => readonly Omit<ApiKey, 'digest'>[]
  /** Reloads the file of keys. @throws ConfigError when the file is invalid; the keys stay unchanged. */
  reload: () => void
}

const ROLES: readonly Role[] = ['read', 'submit', 'admin']
const ANYBODY: Caller = { name: null, role: 'admin', weight: 1, agents: undefined, keyDigest: '' }

/**
 * Reads the keys of SERVICE_API_KEY, which are admins named key-1, key-2 …, and of the file API_KEYS_FILE.
 * @throws ConfigError when the file is invalid.
 */
export function createApiKeys(config: Pick<Config, 'SERVICE_API_KEY' | 'API_KEYS_FILE'>): ApiKeys {
  const { SERVICE_API_KEY: given, API_KEYS_FILE: file } = config
  const fromEnvironment = given.map((key, index): ApiKey => {
    return { name: `key-${index + 1}`, role: 'admin', digest: sha256(key), weight: 1, agents: undefined }
  })
  const read = (): ApiKey[] => [...fromEnvironment, ...(file === undefined ? [] : readKeysFile(file, fromEnvironment))]
  let keys = read()
  return {
    isOpen: keys.length === 0,
    identify: (headers, query) => (keys.length === 0 ? ANYBODY : callerOf(keys, headers, query)),
    find: (keyDigest) => {
      if (keys.length === 0) return ANYBODY
      const key = keys.find(({ digest }) => digest.toString('hex') === keyDigest)
      return key && callerWith(key)
    },
    list: () => keys,
    reload: () => {
      keys = read()
    },
  }
}

/**
 * Checks a caller's role.
 * @throws TroupeError forbidden when the role of the caller's key is not sufficient.
 */
export function requireRole({ name, role }: Caller, needed: Role): void {
  if (ROLES.indexOf(role) >= ROLES.indexOf(needed)) return
  throw new TroupeError(
    'forbidden',
    `The key "${name}" has the role ${role}, but this request needs the role ${needed}.`,
  )
}

/**
 * Checks that a caller may submit to agents.
 * @throws TroupeError forbidden that names the first agent to which the caller's key may not submit.
 */
export function requireAgents({ name, agents }: Caller, wanted: readonly string[]): void {
  const other = agents && wanted.find((agent) => !agents.includes(agent))
  if (other === undefined) return
  throw new TroupeError('forbidden', `The key "${name}" may not submit to the agent "${other.slice(0, 100)}".`)
}

/** Maximum number of credentials in a header or query; this bounds the work for callers without a key. */
const MAX_CREDENTIALS = 10

/** Compares every key with every credential, so that the time reveals nothing. */
function callerOf(keys: ApiKey[], headers: IncomingHttpHeaders, query?: URLSearchParams): Caller | undefined {
  const presented = presentedKeys(headers, query).map(sha256)
  const [right] = keys.filter(
    ({ digest }) => presented.filter((candidate) => timingSafeEqual(candidate, digest)).length > 0,
  )
  return right && callerWith(right)
}

function callerWith({ name, role, weight, agents, digest }: ApiKey): Caller {
  return { name, role, weight, agents, keyDigest: digest.toString('hex') }
}

function presentedKeys(headers: IncomingHttpHeaders, query: URLSearchParams | undefined): Buffer[] {
  // Node decodes headers as latin1 and joins repeated headers with commas, which a key may also contain.
  const header = String(headers['x-api-key'] ?? '')
  const inHeader = new Set([header, ...header.split(',', MAX_CREDENTIALS)])
  const [scheme = '', ...rest] = (headers.authorization ?? '').split(' ')
  const bearer = scheme.toLowerCase() === 'bearer' ? rest.join(' ') : ''
  return [
    ...[...inHeader, bearer].map((text) => Buffer.from(text.trim(), 'latin1')),
    ...(query?.getAll('api_key').slice(0, MAX_CREDENTIALS) ?? []).map((text) => Buffer.from(text, 'utf8')),
  ]
}

function sha256(key: string | Buffer): Buffer {
  return createHash('sha256').update(key).digest()
}
