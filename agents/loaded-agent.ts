import { createHash } from 'node:crypto'
import type { AgentContext, AgentDefinition, JsonSchema, Tool } from './definition.ts'
import { checkArguments, normaliseParameters } from './tool-parameters.ts'

/** A tool that is ready to run. */
export interface LoadedTool extends Tool {
  /** JSON Schema with `type: 'object'`, `properties` and `required`, as the model and the wire see it. */
  parameters: JsonSchema
  /** A sentence that says what is wrong with these arguments; undefined when they fit. Never coerces. */
  validate: (args: unknown) => string | undefined
  /**
   * Runs the tool on arguments that `validate` accepted; a zod schema's defaults and transforms are applied.
   * @throws whatever the tool throws: that is data for the model.
   */
  execute: (args: unknown, context: AgentContext) => unknown
}

/** An agent that was found, checked and made ready. */
export interface LoadedAgent extends AgentDefinition {
  kind: 'model' | 'code'
  tools: LoadedTool[]
  /** Path of its module. */
  file: string
  /** Hash of everything that can change what the agent answers: another one means another agent. */
  fingerprint: string
}

/**
 * Makes a checked definition ready to run.
 * @throws Error with a sentence that names the field, when a tool's parameters are no schema.
 */
export function toLoadedAgent(definition: AgentDefinition, file: string): LoadedAgent {
  const tools = (definition.tools ?? []).map(loadTool)
  return {
    ...definition,
    kind: definition.run ? 'code' : 'model',
    tools,
    file,
    fingerprint: fingerprintOf(definition, tools),
  }
}

function loadTool(tool: Tool, index: number): LoadedTool {
  const parameters = normaliseParameters(tool.parameters, `tools.${index}.parameters`)
  const check = checkArguments(tool.parameters, parameters)
  return {
    name: tool.name,
    description: tool.description,
    cache: tool.cache,
    retry: tool.retry,
    timeoutMs: tool.timeoutMs,
    parameters,
    validate: (args) => {
      const checked = check(args)
      return 'problem' in checked ? checked.problem : undefined
    },
    execute: (args, context) => {
      const checked = check(args)
      if ('problem' in checked) throw new Error(checked.problem)
      return tool.execute(checked.value as never, context)
    },
  }
}

function fingerprintOf(definition: AgentDefinition, tools: LoadedTool[]): string {
  const asText = (_key: string, value: unknown) => (typeof value === 'function' ? String(value) : value)
  const parameters = tools.map((tool) => tool.parameters)
  const described = { ...definition, tools: definition.tools?.map((tool) => ({ ...tool, parameters: undefined })) }
  return createHash('sha256')
    .update(JSON.stringify([described, parameters], asText))
    .digest('hex')
}
