import { connectionNotes } from '../connection-notes.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { formatTime } from '../time.ts'

/** `troupe events`: prints system events until Ctrl-C or the end of `--timeout`. */
export async function events({ troupe, terminal, signal, timeoutMs }: Context): Promise<number> {
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const leaving = timeout === undefined ? signal : AbortSignal.any([signal, timeout])
  const { json, utc } = terminal.options
  try {
    for await (const event of troupe.events({ signal: leaving, onConnection: connectionNotes(terminal) })) {
      const { job_id, agent_name, event_type, timestamp } = event
      const time = terminal.isInteractive ? formatTime(timestamp, utc) : timestamp
      terminal.line(json ? JSON.stringify(event) : [time, job_id, agent_name, event_type].join('\t'))
    }
  } catch (error) {
    // An interrupt is the normal end of this command.
    if (!leaving.aborted) throw error
    return signal.aborted ? EXIT.interrupted : EXIT.ok
  }
  return EXIT.ok
}
