import { asWritten, parseJson } from '../../../client/index.ts'

/** How inputs are edited. */
export type InputsView = 'form' | 'text' | 'fields' | 'json'

/** Inputs as they were typed; or what is wrong with them. */
export type ParsedInputs = { inputs: Record<string, unknown> } | { problem: string }

/** Reads inputs; an error names its line and column. */
export function parseInputs(json: string): ParsedInputs {
  try {
    const value = parseJson(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { inputs: value as never }
    return { problem: 'The inputs must be an object: { … }.' }
  } catch (error) {
    return { problem: `The JSON is not finished: ${placed((error as Error).message, json)}` }
  }
}

function placed(message: string, json: string): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN)
  if (Number.isNaN(position) || message.includes('line ')) return message
  const before = json.slice(0, position).split('\n')
  return `${message} (line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1})`
}

/** The text of inputs that are one; empty for others. */
export function textOf(json: string): string {
  const parsed = parseInputs(json)
  return 'inputs' in parsed && typeof parsed.inputs.query === 'string' ? parsed.inputs.query : ''
}

/** Inputs as names with their values as one types them; undefined while the JSON is broken. */
export function fieldsOf(json: string): [name: string, value: string][] | undefined {
  const parsed = parseInputs(json)
  if ('problem' in parsed) return undefined
  return Object.entries(asWritten(parsed.inputs)).map(([name, value]) => [name, typed(value)])
}

/** The JSON with one field changed, added or (undefined) removed. */
export function withField(
  fields: [string, string][],
  index: number,
  field: [name: string, value: string] | undefined,
): string {
  const changed = [...fields.slice(0, index), ...(field === undefined ? [] : [field]), ...fields.slice(index + 1)]
  return objectOf(changed.map(([name, text]) => [name, isJson(text) ? text : JSON.stringify(text)]))
}

/** The fields of an object, each as JSON with the digits that were written. */
export function fieldTexts(inputs: Record<string, unknown>): Map<string, string> {
  return new Map(Object.entries(asWritten(inputs)).map(([name, value]) => [name, JSON.stringify(value)]))
}

/** The JSON of an object, of its fields as JSON. */
export function objectOf(fields: [name: string, json: string][]): string {
  const text = fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')
  return JSON.stringify(parseJson(`{${text}}`), null, 2)
}

/** JSON without blanks; a number with its digits. */
export function compactJson(json: string): string {
  return JSON.stringify(parseJson(`[${json}]`)).slice(1, -1)
}

/** Whether a text is a value in JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function typed(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  // A text that would be read as something else keeps its quotes.
  return isJson(value) || value.startsWith('"') ? JSON.stringify(value) : value
}
