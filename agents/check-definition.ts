import { z } from 'zod'
import { budget } from '../core/budget.ts'
import { isObject } from '../core/json.ts'
import type { AgentDefinition } from './definition.ts'
import { FINAL_ANSWER } from './structured/final-answer.ts'
import { modelSettings } from './models/model-settings.ts'
import { parseTarget, TARGET_RULE } from '../core/network-target.ts'
import { isModelName, MODEL_NAME_RULE, parseModelName, SCRIPTED } from '../core/model-name.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/
const NAME_RULE = 'must start with a letter or digit and have at most 128 letters, digits, _ . or -'

/**
 * Fields that a later version will support. An agent that relies on one is refused, because this version would ignore
 * it.
 */
const LATER = ['mcpServers', 'memory']

/** Fields of a tool that a later version will support. */
const LATER_IN_TOOLS = ['approval']

/** Fields that apply to model agents only. */
const OF_MODELS = ['settings', 'hedge', 'maxSteps', 'outputRepairs'] as const

/** The longest delay of a Node.js timer. */
const MAX_TIMEOUT_MS = 2_147_483_647

const expected = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is missing' : `must be ${what}`
const text = z.string({ error: expected('a string') })
const name = text.regex(NAME, { error: NAME_RULE })
const code = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', {
  error: expected('a function'),
})
const cacheFields = { ttlSeconds: z.number().positive().optional(), scope: z.enum(['agent', 'all']).optional() }
const cache = z.union([z.boolean(), z.strictObject(cacheFields)], {
  error: "must be true, false or { ttlSeconds, scope } with a positive number and 'agent' or 'all'",
})

const objectOr = (what: string) => (issue: { code?: string; input?: unknown }) =>
  issue.code === 'unrecognized_keys' ? undefined : expected(what)(issue)

const milliseconds = z
  .int({ error: expected('a whole number of milliseconds') })
  .min(1, { error: 'must be at least 1' })
  .max(MAX_TIMEOUT_MS, { error: `must be at most ${MAX_TIMEOUT_MS}` })

const schema = z.custom<object>((value) => isObject(value), {
  error: expected('a JSON Schema of type object or a zod object'),
})

const tool = z.strictObject(
  {
    name,
    description: text,
    parameters: schema.optional(),
    execute: code,
    cache: cache.optional(),
    retry: z.enum(['safe', 'never'], { error: "must be 'safe' or 'never'" }).optional(),
    timeoutMs: milliseconds.optional(),
  },
  { error: objectOr('an object with name, description, parameters and execute') },
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

const models = z.unknown().superRefine((value, { addIssue }) => {
  const problem = modelProblem(value)
  if (problem !== undefined) addIssue(problem)
})

function modelProblem(value: unknown): string | undefined {
  if (typeof value === 'string') return isModelName(value) ? undefined : MODEL_NAME_RULE
  if (!Array.isArray(value)) return 'must be a string, or an array of them in order of fallback'
  if (!value.every((name) => typeof name === 'string' && parseModelName(name) !== undefined))
    return `as an array has models of providers: each ${MODEL_NAME_RULE}, and not "scripted"`
  if (value.length > 0 && new Set(value).size === value.length) return undefined
  return 'as an array must name at least one model, and each once'
}

const definition = z.strictObject(
  {
    name,
    role: text,
    goal: text,
    instructions: text.optional(),
    model: models.optional(),
    settings: modelSettings.optional(),
    hedge: z.strictObject({ afterMs: milliseconds }, { error: objectOr('an object with afterMs') }).optional(),
    input: schema.optional(),
    output: schema.optional(),
    outputRepairs: z
      .int({ error: expected('a whole number') })
      .min(0, { error: 'must be at least 0' })
      .max(5, { error: 'must be at most 5' })
      .optional(),
    checkInput: code.optional(),
    checkOutput: code.optional(),
    tools: z.array(tool, { error: expected('an array of tools') }).optional(),
    delegates: z.array(name, { error: expected('an array of agent names') }).optional(),
    maxSteps: z
      .int({ error: expected('a whole number') })
      .min(1, { error: 'must be at least 1' })
      .optional(),
    budget: budget.optional(),
    cache: cache.optional(),
    network: network.optional(),
    script: code.optional(),
    run: code.optional(),
  },
  { error: objectOr('an object with name, role, goal and either model or run') },
)

/** The result of checking a module's default export. */
export type CheckedDefinition = { definition: AgentDefinition } | { problem: string }

/** Checks a module's default export. A problem is one sentence that names each wrong or unknown field. */
export function checkDefinition(exported: unknown): CheckedDefinition {
  const later = laterFields(exported)
  if (later.length > 0) {
    const [verb, them] = later.length > 1 ? ['come', 'them'] : ['comes', 'it']
    return { problem: `${later.join(' and ')} ${verb} later: until then an agent that has ${them} is refused` }
  }
  const parsed = definition.safeParse(exported)
  if (!parsed.success) return { problem: parsed.error.issues.map(sentenceOf).join('; ') }
  // The object itself instead of zod's copy, because its functions may rely on `this`.
  const found = exported as AgentDefinition
  const problem = contradictionIn(found)
  return problem === undefined ? { definition: found } : { problem }
}

function laterFields(exported: unknown): string[] {
  if (!isObject(exported)) return []
  const tools: unknown[] = Array.isArray(exported.tools) ? exported.tools : []
  return [
    ...LATER.filter((field) => exported[field] !== undefined),
    ...tools.flatMap((each, index) =>
      LATER_IN_TOOLS.filter((field) => isObject(each) && each[field] !== undefined).map(
        (field) => `tools.${index}.${field}`,
      ),
    ),
  ]
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return `${path || 'the default export'} ${issue.message}`
  const fields = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`))
  return `${fields.join(' and ')} ${fields.length > 1 ? 'are' : 'is'} unknown to this version`
}

function contradictionIn(agent: AgentDefinition): string | undefined {
  const { model, run, script, tools = [], delegates = [] } = agent
  if (model === undefined && script !== undefined) return `script needs model: '${SCRIPTED}'`
  if (model === undefined && run === undefined) return 'model or run is missing: an agent needs exactly one of them'
  if (model !== undefined && run !== undefined)
    return 'model and run exclude each other: an agent needs exactly one of them'
  if (model === SCRIPTED && script === undefined) return `script is missing: model '${SCRIPTED}' answers from it`
  if (model !== SCRIPTED && script !== undefined) return `script works only with model '${SCRIPTED}'`
  if (model === SCRIPTED && agent.hedge !== undefined) return 'hedge needs a model of a provider'
  const idle = run === undefined ? undefined : OF_MODELS.find((field) => agent[field] !== undefined)
  if (idle !== undefined) return `${idle} needs a model: an agent with run has none`
  if (agent.output === undefined && agent.outputRepairs !== undefined) return 'outputRepairs needs an output'
  const own = agent.output === undefined || model === undefined ? [] : [FINAL_ANSWER]
  const names = [...own, ...tools.map((each) => each.name), ...delegates]
  const twice = names.find((each, index) => names.indexOf(each) !== index)
  return twice === undefined ? undefined : `tools and delegates must have different names: ${twice} is there twice`
}
