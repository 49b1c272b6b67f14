import ipaddr from 'ipaddr.js'

/**
 * The kind of network of an address. `public` is the internet. `internal` is a network that an operator may have a
 * reason to open (loopback, private, carrier-grade NAT, unique local). `special` is everything else: link-local and
 * cloud metadata, multicast, documentation and reserved ranges, and IPv6 addresses that carry an IPv4 address (mapped,
 * NAT64, 6to4, Teredo).
 */
export type AddressClass = 'public' | 'internal' | 'special'

const INTERNAL = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal'])

/**
 * Metadata and management services of clouds whose addresses are outside reserved ranges, or in a range that may be
 * opened.
 */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])

/** The only IPv6 range that IANA has assigned for the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns the kind of network that an address belongs to.
 * @param address - an IPv4 or IPv6 address as a resolver writes it; any other text is `special`.
 */
export function classOf(address: string): AddressClass {
  if (!ipaddr.isValid(address)) return 'special'
  const parsed = ipaddr.parse(address)
  if (METADATA.has(parsed.toString())) return 'special'
  const range = parsed.range()
  if (INTERNAL.has(range)) return 'internal'
  if (range !== 'unicast') return 'special'
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST) ? 'public' : 'special'
}
