import { durationText } from '../client/index.ts'
import type { ConnectionState } from '../client/index.ts'
import type { Terminal } from './terminal.ts'

/** Prints a note when a stream loses its connection and when it is connected again. */
export function connectionNotes(terminal: Terminal): (state: ConnectionState) => void {
  let lostAt: number | undefined
  return ({ status, since }) => {
    if (status === 'disconnected' && lostAt === undefined) {
      lostAt = since
      terminal.note('Connection lost; reconnecting. No events will be missed.')
    }
    if (status === 'open' && lostAt !== undefined) {
      terminal.note(`Reconnected after ${durationText(since - lostAt)}.`)
      lostAt = undefined
    }
  }
}
