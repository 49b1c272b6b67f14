import { styleText } from 'node:util'
import { asWritten } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'
import { alignedTable, tabSeparated, type Column } from './table.ts'
import { terminalSafe } from './terminal-safe.ts'

/** Options of printing. */
export interface TerminalOptions {
  /** Print one JSON document, or one per line for streams. */
  json: boolean
  /** Print no notes and no progress. */
  quiet: boolean
  utc: boolean
  /** Fields of a list to print, in this order. */
  fields: string[] | undefined
}

const DEFAULT_WIDTH = 120

/** Output of a command: results to stdout, notes and progress to stderr. */
export class Terminal {
  readonly options: TerminalOptions
  #hasProgress = false
  #pieces: NodeJS.WriteStream | undefined

  constructor(options: TerminalOptions) {
    this.options = options
  }

  /** Whether stdout is a terminal that a person reads. */
  get isInteractive(): boolean {
    return process.stdout.isTTY === true && !this.options.json
  }

  /** Whether a progress line can be redrawn. */
  get canRedraw(): boolean {
    return process.stderr.isTTY === true && !this.options.quiet
  }

  get width(): number {
    return process.stdout.columns ?? DEFAULT_WIDTH
  }

  /** Prints a line of the result. */
  line(text: string): void {
    this.#clearProgress()
    this.endPieces()
    process.stdout.write(`${process.stdout.isTTY ? terminalSafe(text) : text}\n`)
  }

  /**
   * Prints a part of a text; the text ends with the next line or note.
   * @param begins - whether this is the first part.
   * @param stream - stdout if the text is the result, otherwise stderr.
   */
  piece(text: string, begins: boolean, stream: NodeJS.WriteStream = process.stdout): void {
    this.#clearProgress()
    if (begins) this.endPieces()
    this.#pieces = stream
    stream.write(stream.isTTY ? terminalSafe(text) : text)
  }

  /** Ends the line of a text that was printed in parts. */
  endPieces(): void {
    this.#pieces?.write('\n')
    this.#pieces = undefined
  }

  /** Prints a result as a JSON document, for `--json`. */
  document(value: unknown): void {
    this.line(JSON.stringify(value, null, this.options.json ? undefined : 2))
  }

  /** Prints a list: a table for people, tab-separated values for programs, a document for `--json`. */
  list<Item extends object>(items: Item[], columns: Column<Item>[]): void {
    const { json, fields } = this.options
    if (fields !== undefined && items[0] !== undefined) requireFields(items[0], fields)
    if (json) return this.document(fields === undefined ? items : items.map((item) => pick(item, fields)))
    const chosen = fields?.map((field) => fieldColumn<Item>(field)) ?? columns
    if (!this.isInteractive) return tabSeparated(items, chosen).forEach((line) => this.line(line))
    const [header = '', ...rows] = alignedTable(items, chosen, this.width)
    this.line(paint('dim', header))
    rows.forEach((row) => this.line(row))
  }

  /** Prints names and values: aligned for people, tab-separated for programs. */
  record(rows: [name: string, value: string][]): void {
    const width = Math.max(...rows.map(([name]) => name.length)) + 2
    for (const [name, value] of rows) {
      this.line(this.isInteractive ? `${paint('dim', name.padEnd(width))}${value}` : `${name}\t${value}`)
    }
  }

  /** Prints a note, unless quiet. */
  note(sentence: string): void {
    if (this.options.quiet) return
    this.#clearProgress()
    this.endPieces()
    process.stderr.write(`${process.stderr.isTTY ? terminalSafe(sentence) : sentence}\n`)
  }

  /** Prints an error, even when quiet. */
  error(sentence: string): void {
    this.#clearProgress()
    this.endPieces()
    process.stderr.write(`${process.stderr.isTTY ? terminalSafe(sentence) : sentence}\n`)
  }

  /** Prints a line of progress over the previous one; only if {@link canRedraw}. */
  progress(text: string): void {
    if (!this.canRedraw) return
    process.stderr.write(`\r\u001b[2K${text.slice(0, Math.max(20, (process.stderr.columns ?? DEFAULT_WIDTH) - 1))}`)
    this.#hasProgress = true
  }

  #clearProgress(): void {
    if (this.#hasProgress) process.stderr.write('\r\u001b[2K')
    this.#hasProgress = false
  }
}

/** Colors a text if stdout supports colors. */
export function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text)
}

const STATUS_STYLES: Record<string, Parameters<typeof styleText>[0]> = {
  ...{ completed: 'green', success: 'green', active: 'green', ok: 'green' },
  ...{ failed: 'red', error: 'red', degraded: 'red' },
  ...{ canceled: 'yellow', timeout: 'yellow', inactive: 'dim', running: 'cyan', submitted: 'cyan' },
}

/** Colors a text by its status. */
export function paintStatus(text: string, status: string): string {
  const style = STATUS_STYLES[status]
  return style === undefined ? text : paint(style, text)
}

/** An own property, because a field may have the name of an inherited one. */
function valueOf(item: object, field: string): unknown {
  const written = asWritten(item) as Record<string, unknown>
  return Object.hasOwn(written, field) ? written[field] : undefined
}

/** Checks field names against the first item, because all items have the same fields. @throws CommandError */
function requireFields(item: object, fields: string[]): void {
  const unknown = fields.find((field) => !Object.hasOwn(item, field))
  if (unknown === undefined) return
  throw new CommandError(
    EXIT.usage,
    `Field "${unknown}" does not exist. The fields are: ${Object.keys(item).join(', ')}.`,
  )
}

function pick(item: object, fields: string[]): object {
  return Object.fromEntries(fields.map((field) => [field, valueOf(item, field) ?? null]))
}

function fieldColumn<Item extends object>(field: string): Column<Item> {
  return {
    header: field.toUpperCase(),
    flexible: true,
    cell: (item) => {
      const value = valueOf(item, field) ?? ''
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    },
  }
}
