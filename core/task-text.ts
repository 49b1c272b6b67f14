import { isObject } from './json.ts'

/** What a model is asked: inputs.query, else message, else task, else the inputs as JSON. */
export function taskText(inputs: unknown): string {
  if (isObject(inputs)) {
    for (const field of ['query', 'message', 'task']) {
      const value = inputs[field]
      if (typeof value === 'string' && value !== '') return value
    }
  }
  return JSON.stringify(inputs ?? null)
}
