import { isObject } from './json.ts'

/** The text that a model is asked: inputs.query, otherwise message, otherwise task, otherwise the inputs as JSON. */
export function taskText(inputs: unknown): string {
  if (isObject(inputs)) {
    for (const field of ['query', 'message', 'task']) {
      const value = inputs[field]
      if (typeof value === 'string' && value !== '') return value
    }
  }
  return JSON.stringify(inputs ?? null)
}
