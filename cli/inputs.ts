import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** Options that give the inputs of an execution. */
export interface InputOptions {
  input?: string[]
  inputs?: string
  text?: string
}

/** The inputs that the options give together; single ones before those of the file. @throws CommandError */
export async function readInputs({ input = [], inputs, text }: InputOptions): Promise<Record<string, unknown>> {
  const fromFile = inputs === undefined ? {} : await readObject(inputs)
  const single = [...(text === undefined ? [] : [['query', text] as const]), ...input.map(parseInput)]
  return { ...fromFile, ...Object.fromEntries(single) }
}

/** `name=value`: the value is JSON where it reads as such, else text. @throws CommandError */
function parseInput(given: string): [name: string, value: unknown] {
  const at = given.indexOf('=')
  if (at < 1) throw new CommandError(EXIT.usage, `--input "${given}" must be name=value.`)
  const [name, value] = [given.slice(0, at), given.slice(at + 1)]
  try {
    return [name, JSON.parse(value)]
  } catch {
    return [name, value]
  }
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  const name = path === '-' ? 'stdin' : path
  const text = await (path === '-' ? readAll(process.stdin) : readFile(path, 'utf8')).catch((error: Error) => {
    throw new CommandError(EXIT.file, `${name} cannot be read: ${error.message}.`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CommandError(EXIT.file, `${name} is not JSON: ${(error as Error).message}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(EXIT.file, `${name} must hold a JSON object of inputs.`)
  }
  return value as Record<string, unknown>
}
