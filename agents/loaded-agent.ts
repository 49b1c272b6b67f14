import { createHash } from 'node:crypto'
import type { AgentContext, AgentDefinition, JsonSchema, Tool } from './definition.ts'
import { checkArguments, normaliseParameters, type CheckedArguments } from './tool-parameters.ts'
import { runWithTimeout } from './tool-timeout.ts'

/** A tool that is ready to run. */
export interface LoadedTool extends Tool {
  /** JSON Schema with `type: 'object'`, `properties` and `required`, as the model and the wire see it. */
  parameters: JsonSchema
  /** Describes in a sentence what is wrong with the arguments; undefined if they fit. It never coerces values. */
  validate: (args: unknown) => string | undefined
  /**
   * Runs the tool on arguments that `validate` accepted, after applying a zod schema's defaults and transforms.
   * @throws the tool's own error, or an error after `timeoutMs`; the model receives either as data.
   */
  execute: (args: unknown, context: AgentContext) => unknown
  /** The source code of `execute`. Tools of several agents are the same if their source is. */
  source: string
}

/** A schema that is ready to check values with. */
export interface LoadedSchema {
  /** JSON Schema with `type: 'object'`, `properties` and `required`. */
  json: JsonSchema
  /** Returns the value after parsing (with zod's defaults and transforms), or a sentence that describes the problem. */
  check: (value: unknown) => CheckedArguments
}

/** A loaded and checked agent, ready to run. */
export interface LoadedAgent extends AgentDefinition {
  kind: 'model' | 'code'
  /** In order of fallback; empty for an agent of plain code. */
  models: string[]
  tools: LoadedTool[]
  inputSchema: LoadedSchema | undefined
  outputSchema: LoadedSchema | undefined
  /** Name of its model if the price of that model is unknown. */
  unpriced?: string | undefined
  /** Path of its module. */
  file: string
  /** Hash of everything that can change the agent's output. A different hash means a different agent. */
  fingerprint: string
}

/**
 * Makes a checked definition ready to run.
 * @throws Error with a sentence that names the field, if a tool's parameters are not a valid schema.
 */
export function toLoadedAgent(definition: AgentDefinition, file: string): LoadedAgent {
  const tools = (definition.tools ?? []).map(loadTool)
  const input = loadSchema(definition.input, 'input', 'inputs')
  const output = loadSchema(definition.output, 'output', 'output')
  return {
    ...definition,
    kind: definition.run ? 'code' : 'model',
    models: [definition.model ?? []].flat(),
    tools,
    inputSchema: input,
    outputSchema: output,
    file,
    fingerprint: fingerprintOf(definition, [...tools.map(({ parameters }) => parameters), input?.json, output?.json]),
  }
}

function loadSchema(schema: Tool['parameters'], field: string, what: string): LoadedSchema | undefined {
  if (schema === undefined) return undefined
  const json = normaliseParameters(schema, field, field === 'output')
  const check = checkArguments(schema, json, what)
  return { json, check: (value) => check(value) }
}

function loadTool(tool: Tool, index: number): LoadedTool {
  const given = tool.parameters ?? {}
  const parameters = normaliseParameters(given, `tools.${index}.parameters`)
  const check = checkArguments(given, parameters)
  return {
    name: tool.name,
    description: tool.description,
    cache: tool.cache,
    retry: tool.retry,
    timeoutMs: tool.timeoutMs,
    parameters,
    source: String(tool.execute),
    validate: (args) => {
      const checked = check(args)
      return 'problem' in checked ? checked.problem : undefined
    },
    execute: (args, context) => {
      const checked = check(args)
      if ('problem' in checked) throw new Error(checked.problem)
      const run = (given: AgentContext) => tool.execute(checked.value as never, given)
      return tool.timeoutMs === undefined ? run(context) : runWithTimeout(tool.timeoutMs, context, run)
    },
  }
}

/**
 * Identifies a version of an agent by a hash of its whole definition, including code.
 * @param schemas - all schemas as JSON, because the content of a zod object depends on zod's version.
 */
function fingerprintOf(definition: AgentDefinition, schemas: unknown[]): string {
  const asText = (_key: string, value: unknown) => (typeof value === 'function' ? String(value) : value)
  const tools = definition.tools?.map((tool) => ({ ...tool, parameters: undefined }))
  const described = { ...definition, tools, input: undefined, output: undefined }
  return createHash('sha256')
    .update(JSON.stringify([described, schemas], asText))
    .digest('hex')
}
