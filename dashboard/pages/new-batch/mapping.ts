import { COLUMN_TYPES as TYPES, columnValue, type ColumnType as ValueType } from '../../../client/index.ts'

/** What a column's text becomes. */
export type ColumnType = ValueType | 'leave out'

/** Where a column goes. */
export interface Column {
  /** Its head in the file. */
  source: string
  /** The field of the task's inputs. */
  field: string
  type: ColumnType
}

/** The types to choose from. */
export const COLUMN_TYPES: ColumnType[] = [...TYPES, 'leave out']

/** A task's inputs, or what is wrong with its line. */
export type MappedRow = { inputs: Record<string, unknown> } | { problem: string }

/** Makes a task's inputs of a line's cells. */
export function mapRow(cells: Record<string, string>, columns: Column[]): MappedRow {
  const fields: [string, unknown][] = []
  for (const { source, field, type } of columns) {
    if (type === 'leave out') continue
    const text = cells[source] ?? ''
    const value = columnValue(text, type)
    if (value === undefined) return { problem: `${source} is no ${type}: “${text.slice(0, 60)}”` }
    fields.push([field, value])
  }
  return { inputs: Object.fromEntries(fields) }
}

/** What columns a file's head suggests. @param types - what its cells look like. */
export function suggestColumns(heads: string[], types: ValueType[]): Column[] {
  return heads.map((source, index) => ({ source, field: source.trim() || 'field', type: types[index] ?? 'text' }))
}

/** Columns as they were mapped before, those of them that are known; the very same array where that changes nothing. */
export function withSaved(columns: Column[], saved: readonly Column[]): Column[] {
  const bySource = new Map(saved.map((column) => [column.source, column]))
  const mapped = columns.map((column) => bySource.get(column.source) ?? column)
  const isSame = mapped.every(({ field, type }, at) => field === columns[at]?.field && type === columns[at].type)
  return isSame ? columns : mapped
}
