import { formatCount } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import type { TraceTable } from '../../waterfall/trace-table.ts'
import { tokensByAgent } from './tokens-by-agent.ts'

const right = (label: string) => ({ label, is: 'right' as const })
const HEADS = ['Agent', right('Calls'), right('In'), right('Out'), { label: 'Total', is: 'right spare' as const }]

/** What each agent of an execution used. */
export function AgentTokens({ table }: { table: TraceTable }) {
  const agents = tokensByAgent(table)
  if (agents.length === 0) return null
  return (
    <Panel title="By agent">
      <Table label="Tokens by agent" heads={HEADS}>
        <tbody>
          {agents.map(({ agent, calls, prompt_tokens, completion_tokens }) => (
            <tr key={agent}>
              <th scope="row">{agent}</th>
              <td className="right">{formatCount(calls)}</td>
              <td className="right">{formatCount(prompt_tokens)}</td>
              <td className="right">{formatCount(completion_tokens)}</td>
              <td className="right spare">{formatCount(prompt_tokens + completion_tokens)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="dim">Added up from the events of model calls.</p>
    </Panel>
  )
}
