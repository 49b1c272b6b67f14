import type { useSeries } from '../../api/queries.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'

/** What each model was given and gave. */
export function TokensByModel({ query, window }: { query: ReturnType<typeof useSeries>; window: string }) {
  return (
    <Panel title={`Tokens by model, ${window}`}>
      <Loaded query={query}>
        {({ total }) =>
          total.tokens.length === 0 ? (
            <Empty title="No model was called." />
          ) : (
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
                  </tr>
                </thead>
                <tbody>
                  {total.tokens.map(({ provider, model, calls, prompt_tokens, completion_tokens }) => (
                    <tr key={`${provider}/${model}`}>
                      <th scope="row">{provider === model ? model : `${provider}/${model}`}</th>
                      <td className="right">{formatCount(calls)}</td>
                      <td className="right">{formatCount(prompt_tokens)}</td>
                      <td className="right">{formatCount(completion_tokens)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}
