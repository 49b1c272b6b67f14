import { parseJson } from '../core/exact-json.ts'

/** What the cells of a column become. */
export const COLUMN_TYPES = ['text', 'number', 'boolean', 'json'] as const

/** One of {@link COLUMN_TYPES}. */
export type ColumnType = (typeof COLUMN_TYPES)[number]

const BOOLEANS = new Map(
  Object.entries({ true: true, yes: true, '1': true, false: false, no: false, '0': false } as Record<string, boolean>),
)

/**
 * The value of a cell. An empty one is null, of text the empty text.
 * @returns undefined when it is none of that type
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

/** What a cell looks like. A number that begins with 0 is a code, and a long one an id: as numbers they would be others. */
const LOOKS: Record<Exclude<ColumnType, 'text'>, (text: string) => boolean> = {
  number: (text) => /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text),
  boolean: (text) => /^(true|false)$/i.test(text),
  json: (text) => /^[[{]/.test(text) && jsonOf(text) !== undefined,
}
type Look = keyof typeof LOOKS

/** Rows that tell the types: a wrong cell further down is a mistake to be told, and no reason to make all of its column text. */
const LOOKED_AT = 200

/** Finds the types of a file's columns: that which its first cells look like, else text. A column with gaps is text. */
export class ColumnTypes {
  readonly #looks: Set<Look>[]
  #rows = 0

  /** @param columns - how many there are. */
  constructor(columns: number) {
    this.#looks = Array.from({ length: columns }, () => new Set(Object.keys(LOOKS) as Look[]))
  }

  /** Whether there is no need of further rows. */
  get isSettled(): boolean {
    return this.#rows >= LOOKED_AT
  }

  /** Looks at a row's cells, in the order of the columns. */
  add(cells: readonly string[]): void {
    if (this.isSettled) return
    this.#rows += 1
    for (const [index, looks] of this.#looks.entries()) {
      if (looks.size === 0) continue
      const text = (cells[index] ?? '').trim()
      for (const look of looks) if (!LOOKS[look](text)) looks.delete(look)
    }
  }

  /** What the rows so far make of the columns. */
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
