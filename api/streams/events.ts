import type { WebSocket } from 'ws'
import type { Dependencies } from '../dependencies.ts'
import { Channel } from './channel.ts'
import { eventsMessage } from './messages.ts'
import { Peer } from './peer.ts'

/** The system events stream of a process. */
export interface EventsStream {
  /**
   * Adds a client.
   * @param afterId - highest trace id that the client has received; undefined starts now.
   */
  join: (socket: WebSocket, afterId: number | undefined) => Promise<void>
}

/** Creates the stream of all events; its channel is opened with the first client. */
export function createEventsStream(deps: Pick<Dependencies, 'store' | 'feed' | 'log'>): EventsStream {
  let channel: Channel | undefined
  const open = (): Channel =>
    new Channel({
      deps,
      topic: 'all',
      filter: {},
      projection: { payload: 0 },
      encode: eventsMessage,
      firstAtOnce: false,
      onEmpty: () => (channel = undefined),
    })
  return {
    async join(socket, afterId) {
      channel ??= open()
      const peer = new Peer(socket, afterId ?? channel.newestId)
      channel.add(peer)
      if (afterId === undefined) peer.live = true
      else await channel.catchUp(peer, { announce: false })
    },
  }
}
