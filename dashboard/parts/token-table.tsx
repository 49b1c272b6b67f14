import { costText, type Schema } from '../../client/index.ts'
import { formatCount } from './format.ts'
import { Empty } from './panel.tsx'
import { Table } from './table.tsx'

type TokenUsage = Schema<'Job'>['token_usage']

interface TokenTableProps {
  models: TokenUsage['by_model']
  /** What they cost; undefined from a service that counts no costs. */
  cost: Schema<'Cost'> | undefined
  /** Of an execution: the sums, which are the service's own. */
  whole?: TokenUsage
  /** More may follow. */
  running?: boolean
}

/** A model by its provider's name and its own, unless they are one. */
export function nameOf({ provider, model }: Pick<TokenUsage['by_model'][number], 'provider' | 'model'>): string {
  return provider === model ? model : `${provider}/${model}`
}

/** What each model was given and gave, and what that cost. */
export function TokenTable({ models, cost, whole, running = false }: TokenTableProps) {
  if (models.length === 0) return <Empty title={running ? 'No model was called so far.' : 'No model was called.'} />
  const right = (label: string) => ({ label, is: 'right' as const })
  const heads = [
    'Model',
    right('Calls'),
    right('In'),
    right('Out'),
    { label: 'Total', is: 'right spare' as const },
    right('Cost'),
  ]
  return (
    <Table label="Tokens and cost by model" heads={heads}>
      <tbody>
        {models.map(({ provider, model, calls, ...tokens }) => (
          <tr key={`${provider}/${model}`}>
            <th scope="row">{nameOf({ provider, model })}</th>
            <td className="right">{formatCount(calls)}</td>
            <Tokens {...tokens} cost={cost?.by_model.find((one) => one.provider === provider && one.model === model)} />
          </tr>
        ))}
      </tbody>
      {whole !== undefined && (
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <td />
            <Tokens {...whole} cost={cost} />
          </tr>
        </tfoot>
      )}
    </Table>
  )
}

interface TokensProps {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  cost: Parameters<typeof costText>[0]
}

function Tokens({ prompt_tokens, completion_tokens, total_tokens, cost }: TokensProps) {
  return (
    <>
      <td className="right">{formatCount(prompt_tokens)}</td>
      <td className="right">{formatCount(completion_tokens)}</td>
      <td className="right spare">{formatCount(total_tokens)}</td>
      <td className="right">{costText(cost)}</td>
    </>
  )
}
