/** What a column's text becomes. */
export type ColumnType = 'text' | 'number' | 'boolean' | 'json' | 'leave out'

/** Where a column goes. */
export interface Column {
  /** Its head in the file. */
  source: string
  /** The field of the task's inputs. */
  field: string
  type: ColumnType
}

/** The types to choose from. */
export const COLUMN_TYPES: ColumnType[] = ['text', 'number', 'boolean', 'json', 'leave out']

/** A task's inputs, or what is wrong with its line. */
export type MappedRow = { inputs: Record<string, unknown> } | { problem: string }

/** Makes a task's inputs of a line's cells. */
export function mapRow(cells: Record<string, string>, columns: Column[]): MappedRow {
  const inputs: Record<string, unknown> = {}
  for (const { source, field, type } of columns) {
    if (type === 'leave out') continue
    const text = cells[source] ?? ''
    const value = valueOf(text, type)
    if (value === undefined) return { problem: `${source} is no ${type}: “${text.slice(0, 60)}”` }
    inputs[field] = value
  }
  return { inputs }
}

function valueOf(text: string, type: ColumnType): unknown {
  switch (type) {
    case 'number': {
      const value = text.trim() === '' ? Number.NaN : Number(text)
      return Number.isFinite(value) ? value : undefined
    }
    case 'boolean':
      return { true: true, yes: true, '1': true, false: false, no: false, '0': false }[text.trim().toLowerCase()]
    case 'json':
      try {
        return JSON.parse(text) as unknown
      } catch {
        return undefined
      }
    default:
      return text
  }
}

/** What columns a file's head suggests; the types by what the first lines hold. */
export function suggestColumns(heads: string[], lines: Record<string, string>[]): Column[] {
  return heads.map((source) => ({
    source,
    field: source.trim() || 'field',
    type: typeOf(lines.map((line) => line[source] ?? '')),
  }))
}

function typeOf(texts: string[]): ColumnType {
  const given = texts.filter((text) => text.trim() !== '')
  if (given.length === 0 || given.length < texts.length) return 'text'
  // A number that begins with 0 is a code: as a number it would lose that.
  if (given.every((text) => /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text.trim()))) return 'number'
  if (given.every((text) => /^(true|false)$/i.test(text.trim()))) return 'boolean'
  return given.every((text) => /^\s*[[{]/.test(text) && valueOf(text, 'json') !== undefined) ? 'json' : 'text'
}
