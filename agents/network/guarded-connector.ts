import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import type { Guard } from './guard.ts'

/** Resolves a name to all its addresses, like `dns.lookup` with `all: true`. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface GuardedConnectorOptions {
  guard: Guard
  /** undici's connector factory. It is passed in, because the first request loads undici. */
  build: typeof buildConnector
  connectTimeoutMs: number
  /** Default: the system's resolver. */
  resolve?: Resolve | undefined
}

/**
 * Opens connections only to addresses that the guard accepts.
 *
 * A name is resolved once for each connection, in the connection's own lookup. The connection therefore uses exactly
 * the checked addresses, which prevents DNS rebinding.
 */
export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { guard, build, connectTimeoutMs, resolve = systemLookup } = options
  return (target, callback) => {
    const { hostname } = target
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
    try {
      // A literal address skips the lookup.
      if (isIP(hostname) !== 0) guard.checkAddress(hostname, hostname, port)
    } catch (error) {
      return callback(error as Error, null)
    }
    build({ timeout: connectTimeoutMs, lookup: checkedLookup(guard, resolve, port) })(target, callback)
  }
}

function checkedLookup(guard: Guard, resolve: Resolve, port: number): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const [first] = addresses
      if (first === undefined) return callback(new Error(`${host} has no address`), '')
      try {
        // One refused address refuses the whole name, because the choice between the addresses is arbitrary.
        for (const { address } of addresses) guard.checkAddress(host, address, port)
      } catch (refusal) {
        return callback(refusal as Error, '')
      }
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
