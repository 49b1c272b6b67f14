import { COLUMN_TYPES, columnValue, type ColumnType } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** The target field of a column and its type. */
export interface ColumnRule {
  column: string
  field: string
  type: ColumnType
}

/** Parses `column=field:type`; field and type are optional. @throws CommandError */
export function parseColumnRule(text: string): ColumnRule {
  const type = COLUMN_TYPES.find((name) => text.endsWith(`:${name}`))
  const untyped = type === undefined ? text : text.slice(0, -type.length - 1)
  const [column = '', ...rest] = untyped.split('=')
  const field = rest.join('=')
  if (column === '') throw new CommandError(EXIT.usage, `--map "${text}" is invalid; use column=field:type.`)
  if (type === undefined && field.includes(':')) {
    throw new CommandError(
      EXIT.usage,
      `--map "${text}" is invalid; the type must be one of ${COLUMN_TYPES.join(', ')}.`,
    )
  }
  return { column, field: field === '' ? column : field, type: type ?? 'text' }
}

/** Converts rows to tasks. */
export class ColumnMap {
  readonly #rules: { index: number; rule: ColumnRule }[]

  /** @throws CommandError when a rule names a missing column, or two columns have the same name */
  constructor(header: string[], rules: ColumnRule[]) {
    const twice = header.find((name, index) => header.indexOf(name) !== index)
    if (twice !== undefined) throw new CommandError(EXIT.file, `Two columns have the name "${twice}"; rename one.`)
    this.#rules = rules.map((rule) => {
      const index = header.indexOf(rule.column)
      if (index >= 0) return { index, rule }
      throw new CommandError(
        EXIT.file,
        `Column "${rule.column}" does not exist; the columns are: ${header.join(', ')}.`,
      )
    })
  }

  /** @throws Error that names the column */
  task(values: string[]): Record<string, unknown> {
    const fields = this.#rules.map(({ index, rule }) => [rule.field, convert(values[index] ?? '', rule)] as const)
    return Object.fromEntries(fields)
  }
}

function convert(text: string, { column, type }: ColumnRule): unknown {
  const value = columnValue(text, type)
  if (value !== undefined) return value
  throw new Error(
    `column "${column}" contains ${JSON.stringify(text.trim().slice(0, 40))}, which is not of type ${type} (use --map to set the type)`,
  )
}
