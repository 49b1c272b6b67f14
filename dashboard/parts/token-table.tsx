import { costText, type Schema } from '../../client/index.ts'
import { formatCount } from './format.ts'
import { Empty } from './panel.tsx'
import { Table } from './table.tsx'

type Usage = Pick<Schema<'Job'>, 'token_usage' | 'cost'>
type Model = Usage['token_usage']['by_model'][number]

interface TokenTableProps {
  models: Omit<Model, 'total_tokens'>[]
  /** Of an execution: the sums and the costs, which are the service's own. */
  whole?: Usage
}

/** What each model was given and gave. */
export function TokenTable({ models, whole }: TokenTableProps) {
  if (models.length === 0) return <Empty title="No model was called." />
  const right = (label: string) => ({ label, is: 'right' as const })
  const heads = ['Model', right('Calls'), right('In'), right('Out')]
  return (
    <Table label="Tokens by model" heads={whole === undefined ? heads : [...heads, right('Total'), right('Cost')]}>
      <tbody>
        {models.map(({ provider, model, calls, ...tokens }, index) => (
          <tr key={`${provider}/${model}`}>
            <th scope="row">{provider === model ? model : `${provider}/${model}`}</th>
            <td className="right">{formatCount(calls)}</td>
            <Tokens {...tokens} cost={whole && (whole.cost.by_model[index] ?? whole.cost)} />
          </tr>
        ))}
      </tbody>
      {whole !== undefined && (
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <td />
            <Tokens {...whole.token_usage} cost={whole.cost} />
          </tr>
        </tfoot>
      )}
    </Table>
  )
}

interface TokensProps {
  prompt_tokens: number
  completion_tokens: number
  total_tokens?: number
  cost: Parameters<typeof costText>[0] | undefined
}

function Tokens({ prompt_tokens, completion_tokens, total_tokens, cost }: TokensProps) {
  return (
    <>
      <td className="right">{formatCount(prompt_tokens)}</td>
      <td className="right">{formatCount(completion_tokens)}</td>
      {total_tokens !== undefined && <td className="right">{formatCount(total_tokens)}</td>}
      {cost !== undefined && <td className="right">{costText(cost)}</td>}
    </>
  )
}
