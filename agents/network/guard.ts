import { isIP } from 'node:net'
import { classOf } from './address-class.ts'
import { NetworkError } from './network-error.ts'
import { coversAddress, coversName, parseTargets, type Target } from '../../core/network-target.ts'

/** The hosts that an agent may reach. Each list holds targets in the format of core/network-target.ts. */
export interface NetworkRules {
  /** The only permitted hosts; if absent, the whole internet. */
  allow?: string[]
  /** Permitted hosts in private networks. */
  private?: string[]
}

/** Decides which connections are permitted. */
export interface Guard {
  /**
   * Checks a URL before any name is resolved.
   * @throws NetworkError network_refused
   */
  checkUrl: (url: URL) => void
  /**
   * Checks a resolved address of `host` before the connection.
   * @throws NetworkError network_refused
   */
  checkAddress: (host: string, address: string, port: number) => void
}

/**
 * Creates the guard of an agent from its rules and the installation's.
 * @param rules - the agent's own rules.
 * @param allowPrivate - targets in private networks that every agent of the installation may reach
 * (NETWORK_ALLOW_PRIVATE).
 * @throws Error that names the invalid entry.
 */
export function createGuard(rules: NetworkRules, allowPrivate: readonly string[]): Guard {
  const own = parseTargets(rules.private ?? [])
  const opened = [...own, ...parseTargets(allowPrivate)]
  const allowed = rules.allow === undefined ? undefined : [...parseTargets(rules.allow), ...own]
  return {
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw refused(`${url.protocol} addresses are not fetched, only http: and https:.`)
      }
      if (url.username !== '' || url.password !== '') {
        throw refused('A URL may not hold a user name or password: send an Authorization header.')
      }
      const host = hostOf(url.hostname)
      if (allowed?.some((target) => covers(target, host, portOf(url))) === false) {
        throw refused(`${url.host} is not among the hosts that this agent may reach (network.allow).`)
      }
    },
    checkAddress(hostname, address, port) {
      const found = classOf(address)
      if (found === 'public' || opened.some((target) => coversAddress(target, address, port))) return
      // A name opens only internal networks. Special addresses, such as cloud metadata, must be opened by address.
      const host = hostOf(hostname)
      if (found === 'internal' && opened.some((target) => coversName(target, host, port))) return
      throw refused(
        isIP(host) === 0
          ? `${host} leads to ${address}, which is not a public address.`
          : `${address} is not a public address.`,
      )
    },
  }
}

/** Returns the port of a URL, or the protocol's default. */
function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** Normalises a host name: lower case, no brackets, no trailing dot. */
function hostOf(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

function covers(target: Target, host: string, port: number): boolean {
  return isIP(host) === 0 ? coversName(target, host, port) : coversAddress(target, host, port)
}

function refused(message: string): NetworkError {
  return new NetworkError('network_refused', message)
}
