import type { SocketAddresses } from './socket-addresses.ts'
import type { Transport } from './transport.ts'

/** Dependencies that the resources of the client share. */
export interface ClientParts {
  transport: Transport
  addresses: SocketAddresses
}
