import { isIP } from 'node:net'
import { classOf } from './address-class.ts'
import { NetworkError } from './network-error.ts'
import { coversAddress, coversName, parseTargets, type Target } from '../../core/network-target.ts'

/** What an agent may reach; each list holds targets as core/network-target.ts reads them. */
export interface NetworkRules {
  /** The only hosts that it may reach; all of the internet when absent. */
  allow?: string[]
  /** Hosts in private networks that it may reach. */
  private?: string[]
}

/** Decides what may be connected to. */
export interface Guard {
  /**
   * Checks a URL before anything is resolved.
   * @throws NetworkError network_refused
   */
  checkUrl: (url: URL) => void
  /**
   * Checks an address that `host` leads to, before it is connected to.
   * @throws NetworkError network_refused
   */
  checkAddress: (host: string, address: string, port: number) => void
}

/**
 * Creates the guard of an agent from its rules and the installation's.
 * @param rules - the agent's own.
 * @param allowPrivate - targets in private networks that every agent of the installation may reach (NETWORK_ALLOW_PRIVATE).
 * @throws Error naming an entry that is no target.
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
      // A name opens what its owner's network holds; metadata and the like have to be opened by their address.
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

/** The port that a URL leads to. */
function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** A host name in one form: lower case, no brackets, no dot at its end. */
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
