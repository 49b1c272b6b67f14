import type { ModelToolCall } from '../agents/models/model.ts'

/** Recorded result of a model call. */
export interface ModelStepResult {
  text: string
  calls: ModelToolCall[]
  tokens: { prompt: number; completion: number }
}

/** Recorded result of a tool call, a delegation, or an agent of a chain: an answer, or an error as data. */
export type OutcomeResult = { result: unknown } | { error: string }

/** Path of a model call below its agent. Fixed width, so that the order of keys is the order of steps. */
export function modelStepPath(step: number): string {
  return `m${String(step).padStart(5, '0')}`
}

/** Path of one call of a model's answer below its agent. */
export function callPath(step: number, call: number): string {
  return `${modelStepPath(step)}.c${String(call).padStart(3, '0')}`
}

/** Path of the `index`-th agent that code called, below `base`. */
export function codeCallPath(base: string, index: number): string {
  return `${base}.k${String(index).padStart(5, '0')}`
}
