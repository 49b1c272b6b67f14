import type { Schema } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { paintStatus } from '../terminal.ts'

/** `troupe agents`. */
export async function agents({ troupe, terminal, signal }: Context): Promise<number> {
  const found: Schema<'Agent'>[] = []
  for await (const agent of troupe.agents.list({}, { signal })) found.push(agent)
  if (found.length === 0) terminal.note('No worker hosts an agent. Start one: npm run worker')
  terminal.list(found, [
    { header: 'NAME', cell: ({ name }) => name },
    { header: 'STATUS', cell: ({ status }) => status, paint: (text, { status }) => paintStatus(text, status) },
    { header: 'ROLE', cell: ({ role }) => role, flexible: true },
    { header: 'GOAL', cell: ({ goal }) => goal, flexible: true },
    { header: 'TOOLS', cell: ({ tools }) => tools.join(', '), flexible: true },
  ])
  return EXIT.ok
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

/** Names of a JSON Schema's properties; a question mark follows what may be left out. */
function parameterNames({ properties = {}, required = [] }: { properties?: object; required?: string[] }): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ')
}
