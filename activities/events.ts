import { messageOf } from '../core/errors.ts'
import type { EndStatus, EventType } from '../core/execution.ts'
import { inlineValue } from '../store/objects/contents.ts'
import type { Content } from '../store/documents.ts'
import type { EventDraft, TraceReference } from '../store/ledger/entry.ts'
import { failureCode } from './failures.ts'
import type { Attempt } from './attempt/attempt.ts'
import type { RunSummary } from './attempt/outcome.ts'

/** An error is text for people, while a library's message can exceed a MongoDB document. */
export const MAX_ERROR_CHARACTERS = 16_384

/** A trace event with the current time. */
export function event(
  type: EventType,
  agent: string,
  parent: EventDraft['parent'],
  payload: Record<string, unknown>,
  reference?: TraceReference,
): EventDraft {
  return { type, agent, parent, payload: JSON.stringify(payload), at: new Date(), reference }
}

/** The error event of any thrown value. */
export function errorEvent(
  agent: string,
  parent: EventDraft['parent'],
  error: unknown,
  { code = failureCode(error), retryable = false }: { code?: string | undefined; retryable?: boolean } = {},
): EventDraft {
  const stack = error instanceof Error ? (error.stack?.slice(0, MAX_ERROR_CHARACTERS) ?? null) : null
  return event('error', agent, parent, {
    error: messageOf(error).slice(0, MAX_ERROR_CHARACTERS),
    stack,
    code,
    retryable,
  })
}

/** The event of an agent's end. */
export function taskComplete(
  agent: string,
  status: EndStatus,
  result: unknown,
  { start, startedAt, steps, tokens: { prompt, completion }, repaired }: RunSummary,
): EventDraft {
  const draft = event('task_complete', agent, start, {
    status,
    result,
    duration_ms: Date.now() - startedAt.getTime(),
    steps,
    token_usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    repaired,
  })
  return { ...draft, ended: status }
}

/**
 * A part of a step for its event: the value itself if it is small; otherwise the value goes to the object store.
 * @param name - the step's path and the part's name: `<path>.result`
 */
export async function stepEventValue(
  attempt: Pick<Attempt, 'putStep'>,
  name: string,
  value: unknown,
): Promise<unknown> {
  return toEventValue(await attempt.putStep(name, value), value)
}

/** A value for an event: the value itself if it is small, the pointer if it was offloaded. */
export function toEventValue(content: Content, value: unknown): unknown {
  return 'json' in content ? value : inlineValue(content)
}
