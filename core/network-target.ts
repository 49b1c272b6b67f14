import ipaddr from 'ipaddr.js'

/** The accepted forms of a target, for error sentences. */
export const TARGET_RULE =
  'must be an address, a CIDR range or a host name (*. before it means its subdomains), with or without a port'

/** An entry of a list of network targets: addresses or names, on one port or on all ports. */
export interface Target {
  to: { range: [ipaddr.IPv4 | ipaddr.IPv6, number] } | { name: string; subdomains: boolean }
  port: number | undefined
}

const WITH_PORT = /^(?:\[([^[\]]{2,64})\]|([^:[\]]{1,255}))(?::(\d{1,5}))?$/
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
// The last label of a name must not be a number, because `10.1` and `2130706433` are alternative spellings of
// addresses.
const NAME = new RegExp(String.raw`^(\*\.)?((?:${LABEL}\.)*(?!\d+$)${LABEL})\.?$`)

/** Parses one entry; undefined if it is invalid. An IPv6 address with a port is in brackets. */
export function parseTarget(text: string): Target | undefined {
  const bare = parseRange(text)
  if (bare !== undefined) return { to: { range: bare }, port: undefined }
  const [, bracketed, plain, digits] = WITH_PORT.exec(text) ?? []
  const port = digits === undefined ? undefined : Number(digits)
  if (port === 0 || (port ?? 1) > 65_535) return undefined
  const range = parseRange(bracketed ?? plain ?? '')
  if (range !== undefined) return { to: { range }, port }
  const [found, wildcard, name] = NAME.exec(plain?.toLowerCase() ?? '') ?? []
  return found === undefined || name === undefined
    ? undefined
    : { to: { name, subdomains: wildcard !== undefined }, port }
}

/**
 * Parses a list of entries.
 * @throws Error naming the invalid entry.
 */
export function parseTargets(texts: readonly string[]): Target[] {
  return texts.map((text) => {
    const target = parseTarget(text)
    if (target === undefined) throw new Error(`${text} ${TARGET_RULE}`)
    return target
  })
}

/** Whether an entry covers this address. An IPv4 entry never covers an IPv6 form of its addresses. */
export function coversAddress({ to, port }: Target, address: string, atPort: number): boolean {
  if (!('range' in to) || (port !== undefined && port !== atPort) || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.kind() === to.range[0].kind() && parsed.match(to.range)
}

/** Whether an entry covers this host name. `*.example.com` covers every subdomain but not `example.com` itself. */
export function coversName({ to, port }: Target, host: string, atPort: number): boolean {
  if (!('name' in to) || (port !== undefined && port !== atPort)) return false
  return to.subdomains ? host.endsWith(`.${to.name}`) : host === to.name
}

function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const [address = '', bits, ...more] = text.split('/')
  if (more.length > 0 || address.includes('%')) return undefined
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined
  if (bits === undefined) {
    const parsed = ipaddr.parse(address)
    return [parsed, parsed.kind() === 'ipv4' ? 32 : 128]
  }
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined
}
