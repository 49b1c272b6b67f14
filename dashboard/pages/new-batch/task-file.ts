import Papa from 'papaparse'
import { ColumnTypes } from '../../../client/index.ts'
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
  /** Tasks by their lines: cells of CSV, inputs of JSONL. */
  rows: Record<string, unknown>[]
  bad: BadLine[]
  /** The first characters of the hash of its content. */
  hash: string
}

const HASH_CHARACTERS = 12
const PIECE_BYTES = 262_144
const PEEKED_BYTES = 1_024

/** Reads a file of tasks: CSV (any delimiter) or a JSON object a line. */
export async function readTaskFile(file: File): Promise<TaskFile> {
  const shared = { name: file.name, bytes: file.size, hash: await hashOf(file) }
  // Its beginning tells which of the two it is: CSV of any size is never held as one text.
  const isJson = /^\s*[[{]/.test(await file.slice(0, PEEKED_BYTES).text())
  if (isJson) return { ...shared, kind: 'jsonl', columns: [], ...readJson(await file.text()) }
  return { ...shared, kind: 'csv', ...(await readCsv(file)) }
}

/** Read in pieces: between them the page can be used, however large the file is. */
function readCsv(file: File): Promise<{ rows: Record<string, string>[]; columns: Column[]; bad: BadLine[] }> {
  const rows: Record<string, string>[] = []
  const bad: BadLine[] = []
  let heads: string[] = []
  let types: ColumnTypes | undefined
  let line = 2
  return new Promise((resolve, reject) => {
    Papa.parse<Record<string, string>, File>(file, {
      header: true,
      skipEmptyLines: 'greedy',
      chunkSize: PIECE_BYTES,
      chunk: ({ data, meta, errors }) => {
        heads = meta.fields ?? heads
        types ??= new ColumnTypes(heads.length)
        const wrong = new Map(
          errors.flatMap(({ row, message }) => (row === undefined ? [] : [[row, message] as const])),
        )
        data.forEach((cells, index) => {
          const problem = wrong.get(index)
          if (problem === undefined) {
            rows.push(cells)
            if (types?.isSettled === false) types.add(heads.map((head) => cells[head] ?? ''))
          } else bad.push({ line: line + index, problem })
        })
        line += data.length
      },
      complete: () => resolve({ rows, columns: suggestColumns(heads, types?.types ?? []), bad }),
      error: reject,
    })
  })
}

function readJson(text: string): { rows: Record<string, unknown>[]; bad: BadLine[] } {
  const whole = text.trimStart().startsWith('[') ? parsed(text) : undefined
  if (Array.isArray(whole)) return sorted(whole.map((value, index) => [index + 1, value]))
  const lines = text.split('\n').flatMap((line, index): [number, unknown][] => {
    return line.trim() === '' ? [] : [[index + 1, parsed(line)]]
  })
  return sorted(lines)
}

function sorted(values: [line: number, value: unknown][]): { rows: Record<string, unknown>[]; bad: BadLine[] } {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return {
    rows: values.map(([, value]) => value).filter(isObject),
    bad: values.filter(([, value]) => !isObject(value)).map(([line]) => ({ line, problem: 'It is no JSON object.' })),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The tasks of a file, and the lines that are none. */
export function tasksOf(
  { kind, rows, bad }: TaskFile,
  columns: Column[],
): { tasks: Record<string, unknown>[]; bad: BadLine[] } {
  if (kind === 'jsonl') return { tasks: rows, bad }
  const tasks: Record<string, unknown>[] = []
  const wrong = [...bad]
  rows.forEach((cells, index) => {
    const mapped = mapRow(cells as Record<string, string>, columns)
    if ('inputs' in mapped) tasks.push(mapped.inputs)
    else wrong.push({ line: index + 2, problem: mapped.problem })
  })
  return { tasks, bad: wrong }
}

/** Pages that were not loaded over HTTPS have no hashes; there the name and size must do. */
async function hashOf(file: File): Promise<string> {
  if (crypto.subtle === undefined) return String(file.size)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return [...digest]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, HASH_CHARACTERS)
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
