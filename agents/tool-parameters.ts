import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z, type ZodType } from 'zod'
import { isObject } from '../core/json.ts'
import type { JsonSchema } from './definition.ts'

/** The arguments as the tool gets them, or a sentence that says what is wrong with them. */
export type CheckedArguments = { value: unknown } | { problem: string }

const options: Options = { strict: false, validateFormats: false, logger: false, addUsedSchema: false, allErrors: true }
const latest = new Ajv2020(options)
const draft7 = new Ajv(options)

/**
 * A tool's parameters as a JSON Schema that always has `type: 'object'`, `properties` and `required`.
 * @param path - the field, for the sentence.
 * @param closed - a zod object shows that it takes no other keys than its own: providers hold a model to such a schema only.
 * @throws Error when it is neither a JSON Schema of an object nor a zod object.
 */
export function normaliseParameters(parameters: JsonSchema | ZodType, path: string, closed = false): JsonSchema {
  const schema = isZod(parameters) ? fromZod(parameters, path, closed) : copy(parameters, path)
  const { $schema: _dialect, $id: _id, type = 'object', ...rest } = schema
  if (type !== 'object') throw new Error(`${path} must describe an object: its type is ${JSON.stringify(type)}`)
  const normalised = { ...rest, type, properties: rest.properties ?? {}, required: rest.required ?? [] }
  try {
    dialectOf(parameters).compile(normalised)
  } catch (error) {
    throw new Error(`${path} must be a valid JSON Schema: ${(error as Error).message}`, { cause: error })
  }
  return normalised
}

/**
 * A function that checks arguments against a tool's parameters, by zod's own parsing or by the JSON Schema, without
 * coercion.
 * @param what - what the values are called in a problem, unless the check is told otherwise.
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
      const problems = parsed.error.issues.map(({ path, message }) => `${[called, ...path].join('.')}: ${message}`)
      return { problem: problems.join('; ') }
    }
  }
  const validate = dialectOf(parameters).compile(normalised)
  return (args, called = what) =>
    validate(args) ? { value: args } : { problem: sentenceOf(validate.errors ?? [], called) }
}

/** Recognised by its shape: an agent's zod may be another copy than ours. */
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
    // What goes to the model is JSON, so what is checked is exactly that.
    return JSON.parse(JSON.stringify(schema)) as JsonSchema
  } catch (error) {
    throw new Error(`${path} must be a JSON Schema: ${(error as Error).message}`, { cause: error })
  }
}

function dialectOf(schema: object): Ajv {
  const dialect = '$schema' in schema ? String(schema.$schema) : ''
  return dialect.includes('draft-0') ? draft7 : latest
}

function sentenceOf(errors: ErrorObject[], what: string): string {
  const sentences = errors.map(({ instancePath, message, params }) => {
    const field = [what, ...instancePath.split('/').filter(Boolean)].join('.')
    const extra = isObject(params) && 'additionalProperty' in params ? ` (${String(params.additionalProperty)})` : ''
    return `${field} ${message ?? 'is wrong'}${extra}`
  })
  return [...new Set(sentences)].join('; ')
}
