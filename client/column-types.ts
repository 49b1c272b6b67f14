import { parseJson } from '../core/exact-json.ts'

/** Types of columns. */
export const COLUMN_TYPES = ['text', 'number', 'boolean', 'json'] as const

/** One of {@link COLUMN_TYPES}. */
export type ColumnType = (typeof COLUMN_TYPES)[number]

const BOOLEANS = new Map(
  Object.entries({ true: true, yes: true, '1': true, false: false, no: false, '0': false } as Record<string, boolean>),
)

/**
 * Converts a cell to a value. An empty cell is null, or the empty string in a text column.
 * @returns undefined when the cell is not of that type
 */
export function columnValue(text: string, type: ColumnType): unknown {
  if (type === 'text') return text
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (type === 'boolean') return BOOLEANS.get(trimmed.toLowerCase())
  if (type === 'json') return jsonOf(trimmed)
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : undefined
}

/** The type that a cell looks like. Numbers with a leading 0 (codes) and long numbers (ids) are text, because conversion would change them. */
const LOOKS: Record<Exclude<ColumnType, 'text'>, (text: string) => boolean> = {
  number: (text) => /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text),
  boolean: (text) => /^(true|false)$/i.test(text),
  json: (text) => /^[[{]/.test(text) && jsonOf(text) !== undefined,
}
type Look = keyof typeof LOOKS

/** Number of rows that determine the types. A cell that does not match further down is reported as an error. */
const LOOKED_AT = 200

/** Detects the types of the columns of a file from their first cells; text if they differ or some are empty. */
export class ColumnTypes {
  readonly #looks: Set<Look>[]
  #rows = 0

  /** @param columns - the number of columns. */
  constructor(columns: number) {
    this.#looks = Array.from({ length: columns }, () => new Set(Object.keys(LOOKS) as Look[]))
  }

  /** Whether no further rows are needed. */
  get isSettled(): boolean {
    return this.#rows >= LOOKED_AT
  }

  /** Adds the cells of a row, in the order of the columns. */
  add(cells: readonly string[]): void {
    if (this.isSettled) return
    this.#rows += 1
    for (const [index, looks] of this.#looks.entries()) {
      if (looks.size === 0) continue
      const text = (cells[index] ?? '').trim()
      for (const look of looks) if (!LOOKS[look](text)) looks.delete(look)
    }
  }

  /** The types of the columns according to the rows so far. */
  get types(): ColumnType[] {
    return this.#looks.map((looks) => (this.#rows === 0 ? 'text' : ([...looks][0] ?? 'text')))
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
