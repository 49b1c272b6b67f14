import type { CompleteEvent } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import { connectionNotes } from './connection-notes.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-code.ts'
import type { LiveText } from './live-text.ts'
import { watchSilence } from './no-worker-note.ts'
import { spanSentence } from './span-line.ts'
import { oneLine } from './table.ts'

/** How an execution is followed. */
export interface FollowOptions {
  id: string
  /** That it begins with: while nothing comes it is looked whether a worker hosts it. */
  agent: string
  after?: number | undefined
  /** Where answers go while they are written; without it they are not asked for. */
  live?: LiveText | undefined
  /** Where a line for each event goes. */
  print: (line: string) => void
}

/** Follows an execution to its end, with a line for each event. @throws CommandError when the time is over */
export async function followExecution(
  context: Context,
  { id, agent, after, live, print }: FollowOptions,
): Promise<CompleteEvent> {
  const { troupe, terminal, signal, timeoutMs } = context
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  // Of the service's clock: this machine's may be another, and what is watched may have begun long ago.
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
    throw new CommandError(EXIT.timeout, `${id} has not ended yet; it goes on. "troupe watch ${id}" follows it.`)
  } finally {
    silence.stop()
  }
  throw new CommandError(EXIT.unavailable, `The stream of ${id} was closed before its end.`)
}

function line(time: string, agent: string, sentence: string): string {
  return `${time.padStart(10)}  ${agent.padEnd(12)} ${oneLine(sentence)}`
}
