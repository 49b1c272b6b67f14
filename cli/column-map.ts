import { COLUMN_TYPES, columnValue, type ColumnType } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** Where the value of a column goes, and what it is there. */
export interface ColumnRule {
  column: string
  field: string
  type: ColumnType
}

/** `column=field:type`; field and type may be left out. @throws CommandError */
export function parseColumnRule(text: string): ColumnRule {
  const type = COLUMN_TYPES.find((name) => text.endsWith(`:${name}`))
  const untyped = type === undefined ? text : text.slice(0, -type.length - 1)
  const [column = '', ...rest] = untyped.split('=')
  const field = rest.join('=')
  if (column === '') throw new CommandError(EXIT.usage, `--map "${text}" must be column=field:type.`)
  if (type === undefined && field.includes(':')) {
    throw new CommandError(EXIT.usage, `--map "${text}": the type must be one of ${COLUMN_TYPES.join(', ')}.`)
  }
  return { column, field: field === '' ? column : field, type: type ?? 'text' }
}

/** Makes a task of the values of a row. */
export class ColumnMap {
  readonly #rules: { index: number; rule: ColumnRule }[]

  /** @throws CommandError when a rule names a column that the file has not, or two columns bear one name */
  constructor(header: string[], rules: ColumnRule[]) {
    const twice = header.find((name, index) => header.indexOf(name) !== index)
    if (twice !== undefined) throw new CommandError(EXIT.file, `Two columns are called "${twice}".`)
    this.#rules = rules.map((rule) => {
      const index = header.indexOf(rule.column)
      if (index >= 0) return { index, rule }
      throw new CommandError(EXIT.file, `There is no column "${rule.column}"; there are: ${header.join(', ')}.`)
    })
  }

  /** @throws Error with a sentence that names the column */
  task(values: string[]): Record<string, unknown> {
    const fields = this.#rules.map(({ index, rule }) => [rule.field, convert(values[index] ?? '', rule)] as const)
    return Object.fromEntries(fields)
  }
}

function convert(text: string, { column, type }: ColumnRule): unknown {
  const value = columnValue(text, type)
  if (value !== undefined) return value
  throw new Error(
    `column "${column}" holds ${JSON.stringify(text.trim().slice(0, 40))}, which is no ${type} (--map says what a column is)`,
  )
}
