import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config.ts'
import type { Role } from '../../contracts/endpoint.ts'
import { TroupeError } from '../../core/errors.ts'
import { readKeysFile, type ApiKey } from './keys-file.ts'

/** Who makes a request. */
export interface Caller {
  /** Null where the service asks for no key. */
  name: string | null
  role: Role
  /** Its share beside other keys; 1 is the ordinary one. */
  weight: number
  agents: readonly string[] | undefined
  /** Tells the keys apart where their names may change; empty where there is none. */
  keyDigest: string
}

/** The keys of a process. */
export interface ApiKeys {
  /** Whether nobody needs a key. */
  readonly isOpen: boolean
  /**
   * Who presents these credentials: `X-API-Key`, `Authorization: Bearer`, or `api_key` in a query.
   * @param query - given for WebSockets only, where `api_key` counts too.
   * @returns undefined when none of them is right.
   */
  identify: (headers: IncomingHttpHeaders, query?: URLSearchParams) => Caller | undefined
  /** Who has the key with this `keyDigest`; undefined when it is no key any more. */
  find: (keyDigest: string) => Caller | undefined
  /** All keys, in the order in which they were given. */
  list: () => readonly Omit<ApiKey, 'digest'>[]
  /** Reads the file of keys again. @throws ConfigError when it is wrong; the keys stay as they were. */
  reload: () => void
}

const ROLES: readonly Role[] = ['read', 'submit', 'admin']
const ANYBODY: Caller = { name: null, role: 'admin', weight: 1, agents: undefined, keyDigest: '' }

/**
 * The keys of SERVICE_API_KEY, which are admins called key-1, key-2 …, and of the file API_KEYS_FILE.
 * @throws ConfigError when the file is wrong.
 */
export function createApiKeys(config: Pick<Config, 'SERVICE_API_KEY' | 'API_KEYS_FILE'>): ApiKeys {
  const { SERVICE_API_KEY: given, API_KEYS_FILE: file } = config
  const fromEnvironment = given.map((key, index): ApiKey => {
    return { name: `key-${index + 1}`, role: 'admin', digest: sha256(key), weight: 1, agents: undefined }
  })
  const read = (): ApiKey[] => [...fromEnvironment, ...(file === undefined ? [] : readKeysFile(file))]
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
 * @throws TroupeError forbidden when the caller's key has a lesser role.
 */
export function requireRole({ name, role }: Caller, needed: Role): void {
  if (ROLES.indexOf(role) >= ROLES.indexOf(needed)) return
  throw new TroupeError('forbidden', `The key "${name}" has the role ${role}: this needs the role ${needed}.`)
}

/**
 * Checks that a caller may submit to agents.
 * @throws TroupeError forbidden naming the first agent that the caller's key may not submit to.
 */
export function requireAgents({ name, agents }: Caller, wanted: readonly string[]): void {
  const other = agents && wanted.find((agent) => !agents.includes(agent))
  if (other === undefined) return
  throw new TroupeError('forbidden', `The key "${name}" may not submit to the agent "${other.slice(0, 100)}".`)
}

/** Of a header, and of a query: more would be work that anybody can ask for without a key. */
const MAX_CREDENTIALS = 10

/** Every key is compared with every credential, so that the time tells nothing. */
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
  // Node reads header bytes as latin1 and joins repeated headers with a comma, which a key may hold, too.
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
