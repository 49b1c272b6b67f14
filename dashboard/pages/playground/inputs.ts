/** How inputs are edited. */
export type InputsView = 'form' | 'text' | 'fields' | 'json'

/** Inputs as they were typed; or what is wrong with them. */
export type ParsedInputs = { inputs: Record<string, unknown> } | { problem: string }

/** Reads inputs; an error names its line and column. */
export function parseInputs(json: string): ParsedInputs {
  try {
    const value: unknown = JSON.parse(json)
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
  return Object.entries(parsed.inputs).map(([name, value]) => [name, typed(value)])
}

/** The JSON with one field changed, added or (undefined) removed. */
export function withField(
  fields: [string, string][],
  index: number,
  field: [name: string, value: string] | undefined,
): string {
  const changed = [...fields.slice(0, index), ...(field === undefined ? [] : [field]), ...fields.slice(index + 1)]
  return JSON.stringify(Object.fromEntries(changed.map(([name, value]) => [name, valueOf(value)])), null, 2)
}

function typed(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  // A text that would be read as something else keeps its quotes.
  return typeof valueOf(value) === 'string' && !value.startsWith('"') ? value : JSON.stringify(value)
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
