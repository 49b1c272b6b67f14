import { z } from 'zod'
import { isObject } from '../core/json.ts'
import type { AgentDefinition } from './definition.ts'
import { parseTarget, TARGET_RULE } from './network/target.ts'
import { MODEL_NAME_RULE, parseModelName, SCRIPTED } from './models/model-name.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/
const NAME_RULE = 'must start with a letter or digit and have at most 128 letters, digits, _ . or -'

/** Parts of the format that a later version will have. */
const LATER = ['mcpServers', 'budget']

const expected = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is missing' : `must be ${what}`
const text = z.string({ error: expected('a string') })
const name = text.regex(NAME, { error: NAME_RULE })
const code = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', {
  error: expected('a function'),
})
const cache = z.union([z.boolean(), z.object({ ttlSeconds: z.number().positive() })], {
  error: 'must be true, false or { ttlSeconds } with a positive number',
})

const tool = z.object(
  {
    name,
    description: text,
    parameters: z.custom<object>((value) => isObject(value), {
      error: expected('a JSON Schema of type object or a zod object'),
    }),
    execute: code,
    cache: cache.optional(),
  },
  { error: expected('an object with name, description, parameters and execute') },
)

const targets = z
  .array(
    text.refine((value) => parseTarget(value) !== undefined, { error: TARGET_RULE }),
    { error: expected('an array of network targets') },
  )
  .optional()

const network = z.strictObject(
  { allow: targets, private: targets },
  {
    error: ({ code: problem }) =>
      problem === 'unrecognized_keys' ? 'has only allow and private' : 'must be an object with allow, private or both',
  },
)

const definition = z.object(
  {
    name,
    role: text,
    goal: text,
    instructions: text.optional(),
    model: text
      .refine((value) => value === SCRIPTED || parseModelName(value) !== undefined, { error: MODEL_NAME_RULE })
      .optional(),
    tools: z.array(tool, { error: expected('an array of tools') }).optional(),
    delegates: z.array(name, { error: expected('an array of agent names') }).optional(),
    maxSteps: z
      .int({ error: expected('a whole number') })
      .min(1, { error: 'must be at least 1' })
      .optional(),
    cache: cache.optional(),
    network: network.optional(),
    script: code.optional(),
    run: code.optional(),
  },
  { error: 'must be an object with name, role, goal and either model or run' },
)

/** What checking a module's default export gave. */
export type CheckedDefinition =
  { definition: AgentDefinition; /** Fields that mean nothing here. */ unknownFields: string[] } | { problem: string }

/** Checks what a module exports by default; a problem is one sentence that names each wrong field. */
export function checkDefinition(exported: unknown): CheckedDefinition {
  const later = isObject(exported) ? LATER.filter((field) => exported[field] !== undefined) : []
  if (later.length > 0) {
    const [subject, verb] = [later.join(' and '), later.length > 1 ? 'come' : 'comes']
    return {
      problem: `${subject} ${verb} later: until then an agent that has ${later.length > 1 ? 'them' : 'it'} is refused`,
    }
  }
  const parsed = definition.safeParse(exported)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the default export'} ${message}`,
    )
    return { problem: problems.join('; ') }
  }
  // The object itself rather than zod's copy: its functions may rely on `this`.
  const found = exported as AgentDefinition
  const problem = contradictionIn(found)
  if (problem) return { problem }
  const unknownFields = Object.keys(exported as object).filter((field) => !(field in definition.shape))
  return { definition: found, unknownFields }
}

function contradictionIn({ model, run, script, tools = [], delegates = [] }: AgentDefinition): string | undefined {
  if (model === undefined && script !== undefined) return `script needs model: '${SCRIPTED}'`
  if (model === undefined && run === undefined) return 'model or run is missing: an agent needs exactly one of them'
  if (model !== undefined && run !== undefined)
    return 'model and run exclude each other: an agent needs exactly one of them'
  if (model === SCRIPTED && script === undefined) return `script is missing: model '${SCRIPTED}' answers from it`
  if (model !== SCRIPTED && script !== undefined) return `script works only with model '${SCRIPTED}'`
  const names = [...tools.map((each) => each.name), ...delegates]
  const twice = names.find((each, index) => names.indexOf(each) !== index)
  return twice === undefined ? undefined : `tools and delegates must have different names: ${twice} is there twice`
}
