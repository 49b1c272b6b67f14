import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import type { Guard } from './guard.ts'

/** Resolves a name to all its addresses, as `dns.lookup` does with `all: true`. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface GuardedConnectorOptions {
  guard: Guard
  /** undici's own connector factory; given, because undici is loaded by the first request. */
  build: typeof buildConnector
  connectTimeoutMs: number
  /** Default: the system's resolver. */
  resolve?: Resolve | undefined
}

/**
 * Opens connections only to addresses that the guard accepts.
 *
 * A name is resolved once for each connection, inside the connection's own lookup: the addresses that were checked are the
 * ones that are connected to, so a name that changes its answer (DNS rebinding) gains nothing.
 */
export function guardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { guard, build, connectTimeoutMs, resolve = systemLookup } = options
  return (target, callback) => {
    const { hostname } = target
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
    try {
      // A literal address is never looked up.
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
        // One that is refused refuses the name: which of them would be taken is chance.
        for (const { address } of addresses) guard.checkAddress(host, address, port)
      } catch (refusal) {
        return callback(refusal as Error, '')
      }
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
