import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream'
import { parse, CsvError } from 'csv-parse'
import { ColumnTypes, parseJson } from '../client/index.ts'
import { ColumnMap, type ColumnRule } from './column-map.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** A file of tasks, and how to read it. */
export interface TaskFile {
  path: string
  format: 'csv' | 'jsonl' | 'json'
  /** For CSV only; detected when undefined. */
  delimiter: string | undefined
  /** For CSV only; when undefined, every column is a field with a detected type. */
  rules: ColumnRule[] | undefined
}

type Task = Record<string, unknown>

const FORMATS: Record<string, TaskFile['format']> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
}
const DELIMITERS = [',', ';', '\t', '|']

/** Derives the format from the file name. @throws CommandError */
export function formatOf(path: string): TaskFile['format'] {
  const format = FORMATS[extname(path).toLowerCase()]
  if (format !== undefined) return format
  throw new CommandError(
    EXIT.usage,
    `The file name ${path} does not show the format. Pass --format csv, jsonl or json.`,
  )
}

/** The tasks of a file, one after the other. @throws CommandError that names the invalid line */
export async function* readTasks(file: TaskFile): AsyncGenerator<Task, void, undefined> {
  try {
    if (file.format === 'csv') yield* readCsv(file)
    else if (file.format === 'jsonl') yield* readJsonLines(file.path)
    else yield* await readJsonArray(file.path)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(EXIT.file, `${file.path}: ${sentenceOf(error)}`, { cause: error })
  }
}

async function* readCsv(file: TaskFile): AsyncGenerator<Task> {
  const rules = file.rules ?? (await suggestRules(file))
  let map: ColumnMap | undefined
  for await (const { record, info } of readRecords(file)) {
    if (map === undefined) map = new ColumnMap(record, rules)
    else yield inLine(info.lines, () => (map as ColumnMap).task(record))
  }
}

/** Detects the types of columns from the first rows, with the same result as in the dashboard. */
async function suggestRules(file: TaskFile): Promise<ColumnRule[]> {
  let header: string[] | undefined
  let types = new ColumnTypes(0)
  for await (const { record } of readRecords(file)) {
    if (header === undefined) types = new ColumnTypes((header = record).length)
    else types.add(record)
    if (types.isSettled) break
  }
  const found = types.types
  return (header ?? []).map((column, index) => ({ column, field: column, type: found[index] ?? 'text' }))
}

interface CsvRecord {
  record: string[]
  info: { lines: number }
}

async function* readRecords({ path, delimiter }: TaskFile): AsyncGenerator<CsvRecord> {
  const options = { bom: true, skip_empty_lines: true, info: true, delimiter: delimiter ?? (await findDelimiter(path)) }
  const parser = parse(options)
  // An error of the source destroys the parser, which reports it.
  pipeline(readText(path), parser, () => {})
  yield* parser as AsyncIterable<CsvRecord>
}

/** The most frequent delimiter in the header. */
async function findDelimiter(path: string): Promise<string> {
  for await (const { text } of readLines(path)) {
    const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: text.split(delimiter).length }))
    return counts.sort((one, other) => other.count - one.count)[0]?.delimiter ?? ','
  }
  return ','
}

async function* readJsonLines(path: string): AsyncGenerator<Task> {
  for await (const { text, line } of readLines(path)) {
    if (text.trim() !== '') yield inLine(line, () => asTask(parseJson(text)))
  }
}

async function readJsonArray(path: string): Promise<Task[]> {
  let text = ''
  for await (const { text: part } of readLines(path)) text += `${part}\n`
  const value = parseJson(text)
  if (!Array.isArray(value)) throw new Error('it must contain an array of objects.')
  return value.map((item, index) => {
    try {
      return asTask(item)
    } catch (error) {
      throw new Error(`item ${index + 1}: ${sentenceOf(error)}`, { cause: error })
    }
  })
}

/** Splits text at line feeds only, because JSON text may contain other Unicode line separators. */
async function* readLines(path: string): AsyncGenerator<{ text: string; line: number }> {
  let line = 1
  let rest = ''
  for await (const part of readText(path)) {
    const texts = (rest + part).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) yield { text, line: line++ }
  }
  if (rest !== '') yield { text: rest, line }
}

/** The text of a file in parts. @throws TypeError when it is not UTF-8 */
async function* readText(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

function inLine(line: number, make: () => Task): Task {
  try {
    return make()
  } catch (error) {
    throw new Error(`line ${line}: ${sentenceOf(error)}`, { cause: error })
  }
}

function asTask(value: unknown): Task {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Task
  throw new Error('a task must be a JSON object')
}

function sentenceOf(error: unknown): string {
  if (error instanceof CsvError) return `line ${String(error.lines)}: ${error.message}`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'the file does not exist.'
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'the file is not UTF-8; save it as UTF-8.'
  return message
}
