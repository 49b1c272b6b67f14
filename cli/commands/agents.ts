import type { Schema } from '../../client/index.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { paintStatus, type Terminal } from '../terminal.ts'

/** `troupe agents [NAME]`: lists all agents, or shows one with its input and output schemas. */
export async function agents({ troupe, terminal, signal }: Context, [name]: [string?]): Promise<number> {
  const found: Schema<'Agent'>[] = []
  for await (const agent of troupe.agents.list({}, { signal })) found.push(agent)
  if (name !== undefined) return printAgent(found, name, terminal)
  if (found.length === 0) terminal.note('No agents are registered. Start a worker: npm run worker')
  terminal.list(found, [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'STATUS', cell: ({ status }) => status, paint: (text, { status }) => paintStatus(text, status) },
    { header: 'ROLE', cell: ({ role }) => role, flexible: true },
    { header: 'GOAL', cell: ({ goal }) => goal, flexible: true },
    { header: 'TOOLS', cell: ({ tools }) => tools.join(', '), flexible: true },
  ])
  return EXIT.ok
}

function printAgent(agents: Schema<'Agent'>[], name: string, terminal: Terminal): number {
  const agent = agents.find((one) => one.name === name)
  if (agent === undefined)
    throw new CommandError(EXIT.notFound, `Agent "${name}" does not exist; "troupe agents" lists all agents.`)
  if (terminal.options.json) terminal.document(agent)
  else {
    terminal.record([
      ['name', agent.name],
      ['status', paintStatus(agent.status, agent.status)],
      ['role', agent.role],
      ['goal', agent.goal],
      ['tools', agent.tools.join(', ')],
      ['input', schemaText(agent.input)],
      ['output', schemaText(agent.output)],
    ])
  }
  return EXIT.ok
}

/** A service of an older version reports no schemas. */
function schemaText(schema: Record<string, unknown> | null | undefined): string {
  return schema == null ? 'any' : JSON.stringify(schema)
}

/** `troupe tools AGENT`. */
export async function tools({ troupe, terminal, signal }: Context, [agent]: [string]): Promise<number> {
  const { tools: found } = await troupe.agents.tools(agent, { signal })
  if (found.length === 0) terminal.note(`${agent} has no tools.`)
  terminal.list(found, [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'PARAMETERS', cell: ({ parameters }) => parameterNames(parameters), flexible: true },
    { header: 'DESCRIPTION', cell: ({ description }) => description, flexible: true },
  ])
  return EXIT.ok
}

/** Names of the properties of a JSON Schema; optional ones end with a question mark. */
function parameterNames({ properties = {}, required = [] }: { properties?: object; required?: string[] }): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ')
}
