import { useState, type ReactNode } from 'react'
import type { Schema } from '../../client/index.ts'

/** What a request says of its spending. */
export type Spending = Pick<Schema<'PromptRequest'>, 'budget' | 'no_cache'>

const LIMITS = [
  { name: 'usd', label: 'US dollars' },
  { name: 'tokens', label: 'Tokens' },
  { name: 'modelCalls', label: 'Model calls' },
  { name: 'toolCalls', label: 'Tool calls' },
] as const

/** What a submission may use at most, and whether kept answers will do. @param legend - of the limits */
export function useSpending(legend: string): [spending: Spending, form: ReactNode] {
  const [limits, setLimits] = useState<Record<string, number>>({})
  const [isFresh, setFresh] = useState(false)
  const budget = Object.fromEntries(Object.entries(limits).filter(([, limit]) => !Number.isNaN(limit)))
  const form = (
    <details className="spending">
      <summary>Budget and cache</summary>
      <fieldset>
        <legend>{legend}</legend>
        <div className="spending-limits">
          {LIMITS.map(({ name, label }) => (
            <label key={name}>
              {label}
              <input
                type="number"
                min={name === 'usd' ? 0 : 1}
                step={name === 'usd' ? 'any' : 1}
                placeholder="no limit"
                onChange={({ target }) => setLimits({ ...limits, [name]: target.valueAsNumber })}
              />
            </label>
          ))}
        </div>
      </fieldset>
      <label className="check">
        <input type="checkbox" checked={isFresh} onChange={({ target }) => setFresh(target.checked)} /> Make every call
        anew
      </label>
    </details>
  )
  return [{ ...(Object.keys(budget).length > 0 && { budget }), ...(isFresh && { no_cache: true }) }, form]
}
