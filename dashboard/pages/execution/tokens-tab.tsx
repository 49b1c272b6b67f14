import { costText, type Schema } from '../../../client/index.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty } from '../../parts/panel.tsx'

/** What an execution spent, by model; the sums are the service's own. */
export function TokensTab({ job: { token_usage: usage, cost } }: { job: Schema<'Job'> }) {
  if (usage.by_model.length === 0) return <Empty title="No model was called." />
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Tokens by model">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" className="right">
              Calls
            </th>
            <th scope="col" className="right">
              In
            </th>
            <th scope="col" className="right">
              Out
            </th>
            <th scope="col" className="right">
              Total
            </th>
            <th scope="col" className="right">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {usage.by_model.map(({ provider, model, calls, prompt_tokens, completion_tokens, total_tokens }, index) => (
            <tr key={`${provider}/${model}`}>
              <th scope="row">
                {provider}/{model}
              </th>
              <td className="right">{formatCount(calls)}</td>
              <td className="right">{formatCount(prompt_tokens)}</td>
              <td className="right">{formatCount(completion_tokens)}</td>
              <td className="right">{formatCount(total_tokens)}</td>
              <td className="right">{costText(cost.by_model[index] ?? cost)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <td />
            <td className="right">{formatCount(usage.prompt_tokens)}</td>
            <td className="right">{formatCount(usage.completion_tokens)}</td>
            <td className="right">{formatCount(usage.total_tokens)}</td>
            <td className="right">{costText(cost)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
