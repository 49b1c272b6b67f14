import Papa from 'papaparse'
import { ColumnTypes, parseJson } from '../../../client/index.ts'
import { mapRow, suggestColumns, type Column } from './mapping.ts'

/** A line of the file that is no task. */
export interface BadLine {
  line: number
  problem: string
}

/** What a file holds. */
export interface TaskFile {
  name: string
  kind: 'csv' | 'jsonl'
  bytes: number
  /** Of CSV: its columns as they are suggested. */
  columns: Column[]
  /** Cells of CSV, inputs of JSONL. */
  rows: Record<string, unknown>[]
  /** The line that each row begins in. */
  lines: number[]
  bad: BadLine[]
  /** The first characters of the hash of its content. */
  hash: string
}

const HASH_CHARACTERS = 12
/** Some milliseconds of reading; each piece costs the browser a message, so they are not smaller. */
const PIECE_BYTES = 1_048_576
const PEEKED_BYTES = 1_024
/** Some milliseconds of mapping, or of reading JSON. */
const ROWS_A_SLICE = 5_000

/** What reading the lines of a file gives. */
type Lines = Pick<TaskFile, 'columns' | 'rows' | 'lines' | 'bad'>

/** Reads a file of tasks: CSV (any delimiter) or a JSON object a line. */
export async function readTaskFile(file: File): Promise<TaskFile> {
  // Its beginning tells which of the two it is: CSV of any size is never held as one text.
  const kind = /^\s*[[{]/.test(await file.slice(0, PEEKED_BYTES).text()) ? 'jsonl' : 'csv'
  const reading = kind === 'jsonl' ? file.text().then(readJson) : readCsv(file)
  const [hash, lines] = await Promise.all([hashOf(file), reading])
  return { name: file.name, bytes: file.size, hash, kind, ...lines }
}

/** Read in pieces: between them the page can be used, however large the file is. */
function readCsv(file: File): Promise<Lines> {
  const found: Lines = { columns: [], rows: [], lines: [], bad: [] }
  let heads: string[] = []
  let types: ColumnTypes | undefined
  let line = 2
  let before = 0
  return new Promise((resolve, reject) => {
    Papa.parse<Record<string, string>, File>(file, {
      header: true,
      chunkSize: PIECE_BYTES,
      chunk: ({ data, meta, errors }) => {
        heads = meta.fields ?? heads
        types ??= new ColumnTypes(heads.length)
        // Its rows are counted from the beginning of the file, `data` from that of the piece.
        // A file of one column has no delimiter to be found: that error is of no row.
        const wrong = new Map(errors.map(({ row, message }) => [row === undefined ? -1 : row - before, message]))
        for (const [index, cells] of data.entries()) {
          const texts = Object.values(cells).flat()
          const problem = wrong.get(index)
          if (texts.some((text) => text.trim() !== '')) {
            if (problem === undefined) {
              found.rows.push(cells)
              found.lines.push(line)
              if (!types.isSettled) types.add(heads.map((head) => cells[head] ?? ''))
            } else found.bad.push({ line, problem })
          }
          line += 1 + lineFeedsIn(texts)
        }
        before += data.length
      },
      complete: () => resolve({ ...found, columns: suggestColumns(heads, types?.types ?? []) }),
      error: reject,
    })
  })
}

/** A cell in quotes may go on for several lines. */
function lineFeedsIn(texts: string[]): number {
  let count = 0
  for (const text of texts) for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** A list of objects, or an object a line; lines are read in slices, as those of CSV. */
async function readJson(text: string): Promise<Lines> {
  const found: Lines = { columns: [], rows: [], lines: [], bad: [] }
  const whole = text.trimStart().startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(whole)) {
    for (const [index, value] of whole.entries()) addValue(found, index + 1, value)
    return found
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (index % ROWS_A_SLICE === ROWS_A_SLICE - 1) await pause()
    if (line.trim() !== '') addValue(found, index + 1, parsed(line))
  }
  return found
}

function addValue({ rows, lines, bad }: Lines, line: number, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    rows.push(value as Record<string, unknown>)
    lines.push(line)
  } else bad.push({ line, problem: 'It is no JSON object.' })
}

/** Lets the page do what waits. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The tasks of a file, and the lines that are none. */
export interface MappedFile {
  tasks: Record<string, unknown>[]
  bad: BadLine[]
}

/** Maps the rows of a file, in slices: between them the page can be used. @throws what `signal` was aborted with */
export async function tasksOf(file: TaskFile, columns: Column[], signal: AbortSignal): Promise<MappedFile> {
  if (file.kind === 'jsonl') return { tasks: file.rows, bad: file.bad }
  const mapped: MappedFile = { tasks: [], bad: [...file.bad] }
  for (let from = 0; from < file.rows.length; from += ROWS_A_SLICE) {
    if (from > 0) await pause()
    signal.throwIfAborted()
    mapSlice(file, columns, from, mapped)
  }
  mapped.bad.sort((one, other) => one.line - other.line)
  return mapped
}

function mapSlice({ rows, lines }: TaskFile, columns: Column[], from: number, { tasks, bad }: MappedFile): void {
  for (const [index, cells] of rows.slice(from, from + ROWS_A_SLICE).entries()) {
    const row = mapRow(cells as Record<string, string>, columns)
    if ('inputs' in row) tasks.push(row.inputs)
    else bad.push({ line: lines[from + index] ?? 0, problem: row.problem })
  }
}

/**
 * The hash of the hashes of its pieces: hashing copies what it is given while the page waits. Pages that were not loaded over
 * HTTPS have no hashes; there the size must do.
 */
async function hashOf(file: Blob): Promise<string> {
  if (crypto.subtle === undefined) return String(file.size)
  const digest = async (part: Blob): Promise<ArrayBuffer> => crypto.subtle.digest('SHA-256', await part.arrayBuffer())
  const pieces: ArrayBuffer[] = []
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    pieces.push(await digest(file.slice(from, from + PIECE_BYTES)))
  }
  return [...new Uint8Array(await digest(new Blob(pieces)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, HASH_CHARACTERS)
}

/** Stands for the tasks of a file, the way they are made of it, and the agent that runs them: so nothing is added twice. */
export function keyOf({ hash, kind }: TaskFile, columns: Column[], agent: string): Promise<string> {
  return hashOf(new Blob([JSON.stringify({ agent, hash, kind, columns })]))
}

/** A batch's id that the same file always gets: so a submission that was interrupted goes on. */
export function batchIdOf({ name, hash }: TaskFile): string {
  const plain = name
    .replace(/\.\w+$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80)
  return `${plain || 'batch'}-${hash}`
}
