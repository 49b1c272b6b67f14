import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inputsCsv, resultsCsv, type BatchResult } from '../../client/index.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { number } from '../progress-line.ts'

interface ResultOptions {
  failed?: boolean
  inputs?: boolean
  output?: string
}

/**
 * `troupe batch results ID`: prints JSON lines, or writes a file of JSON lines or CSV atomically. With `--inputs`, the file
 * is in the format of `batch submit`.
 */
export async function batchResults(
  { troupe, terminal, signal }: Context,
  [id]: [string],
  { failed = false, inputs = false, output }: ResultOptions,
): Promise<number> {
  const results = troupe.batches.results(id, { status: failed ? 'error' : undefined, signal })
  if (output === undefined) {
    for await (const line of jsonLines(results, inputs)) terminal.line(line)
    return EXIT.ok
  }
  const unfinished = `${output}.${process.pid}.part`
  let count = 0
  const lines = output.endsWith('.csv') ? csvLines(results, inputs) : jsonLines(results, inputs)
  if (!['.csv', '.jsonl'].includes(extname(output))) {
    throw new CommandError(EXIT.usage, `The name of the output file ${output} must end with .jsonl or .csv.`)
  }
  try {
    await pipeline(Readable.from(counted(lines, () => count++)), createWriteStream(unfinished))
    await rename(unfinished, output)
  } catch (error) {
    await rm(unfinished, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('E') === true) throw new CommandError(EXIT.file, `Cannot write ${output}: ${message}.`)
    throw error
  }
  const written = count - (output.endsWith('.csv') ? 1 : 0)
  if (terminal.options.json) terminal.document({ output, results: written })
  else terminal.note(`Wrote ${number(written)} ${inputs ? 'tasks' : 'results'} to ${output}.`)
  return EXIT.ok
}

async function* counted(lines: AsyncIterable<string>, onLine: () => void): AsyncGenerator<string> {
  for await (const line of lines) {
    onLine()
    yield `${line}\n`
  }
}

async function* jsonLines(results: AsyncIterable<BatchResult>, inputs: boolean): AsyncGenerator<string> {
  for await (const result of results) yield JSON.stringify(inputs ? result.inputs : result)
}

async function* csvLines(results: AsyncIterable<BatchResult>, inputs: boolean): AsyncGenerator<string> {
  if (inputs) {
    const tasks: BatchResult['inputs'][] = []
    for await (const { inputs } of results) tasks.push(inputs)
    return yield* inputsCsv(tasks)
  }
  yield* resultsCsv(results)
}
