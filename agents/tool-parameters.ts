import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z, type ZodType } from 'zod'
import { holdsMoreThan, isObject } from '../core/json.ts'
import type { JsonSchema } from './definition.ts'

/** The arguments as the tool receives them, or a sentence that describes the problem. */
export type CheckedArguments = { value: unknown } | { problem: string }

const options: Options = { strict: false, validateFormats: false, logger: false, addUsedSchema: false }
const [latest, latestAll] = [new Ajv2020(options), new Ajv2020({ ...options, allErrors: true })]
const [draft7, draft7All] = [new Ajv(options), new Ajv({ ...options, allErrors: true })]
/**
 * Maximum number of values that are searched for all problems. For larger arguments, only the first problem is
 * reported.
 */
const MAX_EXPLAINED_VALUES = 10_000
/** Limits a description of problems, because the model reads it again in each further turn. */
const MAX_PROBLEM_CHARACTERS = 2_000

/**
 * Converts a tool's parameters to a JSON Schema that always has `type: 'object'`, `properties` and `required`.
 * @param path - name of the field, for error messages.
 * @param closed - sets `additionalProperties: false` for zod objects, because providers enforce only closed schemas.
 * @throws Error if it is neither a JSON Schema of an object nor a zod object.
 */
export function normaliseParameters(parameters: JsonSchema | ZodType, path: string, closed = false): JsonSchema {
  const schema = isZod(parameters) ? fromZod(parameters, path, closed) : copy(parameters, path)
  const { $schema: _dialect, $id: _id, type = 'object', ...rest } = schema
  if (type !== 'object') throw new Error(`${path} must describe an object: its type is ${JSON.stringify(type)}`)
  const normalised = { ...rest, type, properties: rest.properties ?? {}, required: rest.required ?? [] }
  try {
    dialectOf(parameters).first.compile(normalised)
  } catch (error) {
    throw new Error(`${path} must be a valid JSON Schema: ${(error as Error).message}`, { cause: error })
  }
  return normalised
}

/**
 * Returns a function that checks arguments against a tool's parameters without coercion, by zod's own parser or by the
 * JSON Schema.
 * @param what - default name of the values in a description of problems.
 */
export function checkArguments(
  parameters: JsonSchema | ZodType,
  normalised: JsonSchema,
  what = 'arguments',
): (args: unknown, called?: string) => CheckedArguments {
  if (isZod(parameters)) {
    return (args, called = what) => {
      const parsed = parameters.safeParse(args)
      if (parsed.success) return { value: parsed.data }
      const { issues } = parsed.error
      const problems = issues.map(({ path, message }) => `${[called, ...path].join('.')}: ${message}`)
      return { problem: problems.join('; ').slice(0, MAX_PROBLEM_CHARACTERS) }
    }
  }
  const { first, all } = dialectOf(parameters)
  const validate = first.compile(normalised)
  return (args, called = what) => {
    if (validate(args)) return { value: args }
    const explain = holdsMoreThan(args, MAX_EXPLAINED_VALUES) ? validate : all.compile(normalised)
    explain(args)
    return { problem: sentenceOf(explain.errors ?? [], called).slice(0, MAX_PROBLEM_CHARACTERS) }
  }
}

/** Recognises zod by its shape, because an agent's zod may be another copy than ours. */
function isZod(parameters: object): parameters is ZodType {
  return '_zod' in parameters
}

function fromZod(schema: ZodType, path: string, closed: boolean): JsonSchema {
  const close = ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
    if (closed && jsonSchema.properties !== undefined) jsonSchema.additionalProperties ??= false
  }
  try {
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: close as never })
  } catch (error) {
    throw new Error(`${path} is a zod schema that JSON Schema cannot express: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function copy(schema: JsonSchema, path: string): JsonSchema {
  if ('_def' in schema) throw new Error(`${path} is a schema of zod 3: use zod 4 or a JSON Schema`)
  try {
    // The model receives JSON, so the check covers exactly that.
    return JSON.parse(JSON.stringify(schema)) as JsonSchema
  } catch (error) {
    throw new Error(`${path} must be a JSON Schema: ${(error as Error).message}`, { cause: error })
  }
}

/** Returns a validator that stops at the first problem and one that finds all. */
function dialectOf(schema: object): { first: Ajv; all: Ajv } {
  const dialect = '$schema' in schema ? String(schema.$schema) : ''
  return dialect.includes('draft-0') ? { first: draft7, all: draft7All } : { first: latest, all: latestAll }
}

function sentenceOf(errors: ErrorObject[], what: string): string {
  const sentences = errors.map(({ instancePath, message, params }) => {
    const field = [what, ...instancePath.split('/').filter(Boolean)].join('.')
    const extra = isObject(params) && 'additionalProperty' in params ? ` (${String(params.additionalProperty)})` : ''
    return `${field} ${message ?? 'is wrong'}${extra}`
  })
  return [...new Set(sentences)].join('; ')
}
