import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { parseJson } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** Options for the inputs of an execution. */
export interface InputOptions {
  input?: string[]
  inputs?: string
  text?: string
}

/**
 * Combines the inputs from the options; `--input` takes precedence over the file.
 * @param base - the inputs without a file
 * @throws CommandError
 */
export async function readInputs(
  { input = [], inputs, text }: InputOptions,
  base: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const fromFile = inputs === undefined ? base : await readObject(inputs)
  // Joined as text, so that numbers keep all of their digits.
  const fields = [
    JSON.stringify(fromFile).slice(1, -1),
    ...(text === undefined ? [] : [field('query', JSON.stringify(text))]),
    ...input.map(parseInput),
  ]
  return parseJson(`{${fields.filter((each) => each !== '').join(',')}}`) as Record<string, unknown>
}

/** Parses `name=value`: a value that is valid JSON is JSON, otherwise text. @throws CommandError */
function parseInput(given: string): string {
  const at = given.indexOf('=')
  if (at < 1) throw new CommandError(EXIT.usage, `--input "${given}" is invalid; use name=value.`)
  const [name, value] = [given.slice(0, at), given.slice(at + 1)]
  try {
    JSON.parse(value)
    return field(name, value)
  } catch {
    return field(name, JSON.stringify(value))
  }
}

function field(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  const name = path === '-' ? 'stdin' : path
  const text = await (path === '-' ? readAll(process.stdin) : readFile(path, 'utf8')).catch((error: Error) => {
    throw new CommandError(EXIT.file, `Cannot read ${name}: ${error.message}.`)
  })
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new CommandError(EXIT.file, `${name} is not valid JSON: ${(error as Error).message}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(EXIT.file, `${name} must contain a JSON object with the inputs.`)
  }
  return value as Record<string, unknown>
}
