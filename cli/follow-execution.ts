import type { CompleteEvent } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import { connectionNotes } from './connection-notes.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-code.ts'
import type { LiveText } from './live-text.ts'
import { watchSilence } from './no-worker-note.ts'
import { spanSentence } from './span-line.ts'
import { oneLine } from './table.ts'

/** Options of following an execution. */
export interface FollowOptions {
  id: string
  /** The first agent; if there are no events, the command checks whether a worker hosts it. */
  agent: string
  after?: number | undefined
  /** Output for deltas; they are not requested without it. */
  live?: LiveText | undefined
  /** Output for a line per event. */
  print: (line: string) => void
}

/** Follows an execution to its end and prints a line per event. @throws CommandError after the timeout */
export async function followExecution(
  context: Context,
  { id, agent, after, live, print }: FollowOptions,
): Promise<CompleteEvent> {
  const { troupe, terminal, signal, timeoutMs } = context
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  // Uses the service's clock: the local clock may differ, and the execution may have started long ago.
  let startMs: number | undefined
  const options = {
    after,
    deltas: live !== undefined,
    signal: timeout === undefined ? signal : AbortSignal.any([signal, timeout]),
    onConnection: connectionNotes(terminal),
  }
  const silence = watchSilence(context, agent)
  try {
    for await (const event of troupe.prompts.stream(id, options)) {
      silence.heard()
      if (event.type === 'complete') return event
      if (event.type === 'delta') {
        if (terminal.options.json) print(JSON.stringify(event))
        else live?.grow(event)
        continue
      }
      for (const span of event.spans) {
        live?.end(span)
        const atMs = Date.parse(span.start_time)
        startMs ??= atMs
        const time = `${(Math.max(0, atMs - startMs) / 1_000).toFixed(2)} s`
        print(terminal.options.json ? JSON.stringify(span) : line(time, span.agent, spanSentence(span)))
      }
    }
  } catch (error) {
    if (timeout?.aborted !== true || signal.aborted) throw error
    throw new CommandError(
      EXIT.timeout,
      `${id} has not ended yet; it continues. To follow it, run "troupe watch ${id}".`,
    )
  } finally {
    silence.stop()
  }
  throw new CommandError(EXIT.unavailable, `The stream of ${id} was closed before its end.`)
}

function line(time: string, agent: string, sentence: string): string {
  return `${time.padStart(10)}  ${agent.padEnd(12)} ${oneLine(sentence)}`
}
