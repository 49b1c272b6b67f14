import stringWidth from 'string-width'

/** A column of a table. */
export interface Column<Item> {
  header: string
  /** Text for people, which may be shortened. */
  cell: (item: Item) => string
  /** Text for programs; defaults to the text for people. */
  raw?: (item: Item) => string
  align?: 'right'
  /** Whether the text may be truncated to fit the terminal. */
  flexible?: boolean
  /** Adds color to a cell after it has its final width. */
  paint?: (text: string, item: Item) => string
}

const GAP = '  '
const MIN_FLEXIBLE_WIDTH = 10

/** Rows for a terminal: aligned, with flexible columns truncated to fit into `width`. */
export function alignedTable<Item>(items: Item[], columns: Column<Item>[], width: number): string[] {
  const texts = items.map((item) => columns.map(({ cell }) => oneLine(cell(item))))
  const wanted = columns.map(({ header }, index) =>
    Math.max(stringWidth(header), ...texts.map((row) => stringWidth(row[index] ?? ''))),
  )
  const widths = fit(wanted, columns, width)
  const line = (cells: string[], item?: Item): string =>
    columns
      .map(({ align, paint }, index) => {
        const text = pad(cut(cells[index] ?? '', widths[index] ?? 0), widths[index] ?? 0, align)
        return item === undefined || paint === undefined ? text : paint(text, item)
      })
      .join(GAP)
      .trimEnd()
  return [line(columns.map(({ header }) => header)), ...texts.map((row, index) => line(row, items[index]))]
}

/** Rows for programs: tabs between whole values, no header. */
export function tabSeparated<Item>(items: Item[], columns: Column<Item>[]): string[] {
  return items.map((item) => columns.map(({ cell, raw = cell }) => oneLine(raw(item))).join('\t'))
}

/** A text as one line without terminal control sequences. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

/** Truncates a text to a width in terminal columns, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const more = stringWidth(segment)
    if (used + more > width - 1) break
    kept += segment
    used += more
  }
  return `${kept}…`
}

function fit<Item>(wanted: number[], columns: Column<Item>[], width: number): number[] {
  const widths = [...wanted]
  const total = (): number => widths.reduce((sum, one) => sum + one, 0) + GAP.length * (columns.length - 1)
  for (;;) {
    const excess = total() - width
    // Shrinks the widest column first, so that several flexible columns end up equal.
    const widest = columns
      .map(({ flexible }, index) => (flexible === true ? index : -1))
      .filter((index) => index >= 0 && (widths[index] ?? 0) > MIN_FLEXIBLE_WIDTH)
      .sort((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))[0]
    if (excess <= 0 || widest === undefined) return widths
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return align === 'right' ? space + text : text + space
}
