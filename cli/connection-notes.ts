import { durationText } from '../client/index.ts'
import type { ConnectionState } from '../client/index.ts'
import type { Terminal } from './terminal.ts'

/** Tells a person when a stream loses its connection, and when it has it again. */
export function connectionNotes(terminal: Terminal): (state: ConnectionState) => void {
  let lostAt: number | undefined
  return ({ status, since }) => {
    if (status === 'disconnected' && lostAt === undefined) {
      lostAt = since
      terminal.note('Connection lost; trying again. Nothing that happens meanwhile is missed.')
    }
    if (status === 'open' && lostAt !== undefined) {
      terminal.note(`Connected again after ${durationText(since - lostAt)}.`)
      lostAt = undefined
    }
  }
}
