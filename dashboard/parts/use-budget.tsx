import { useState, type ReactNode } from 'react'
import type { Schema } from '../../client/index.ts'

/** The limits of a budget as the form asks for them, in units of so many of the budget's own. */
const LIMITS = [
  { name: 'usd', label: 'US dollars', unit: 1, step: 'any' },
  { name: 'tokens', label: 'Tokens', unit: 1, step: 1 },
  { name: 'modelCalls', label: 'Model calls', unit: 1, step: 1 },
  { name: 'toolCalls', label: 'Tool calls', unit: 1, step: 1 },
  { name: 'ms', label: 'Seconds of work', unit: 1_000, step: 'any' },
] as const

const PERCENT = 100

/** What work may use at most; undefined without a limit. @param legend - says what work; without it there is no form */
export function useBudget(legend: string | undefined): [budget: Schema<'Budget'> | undefined, form: ReactNode] {
  const [limits, setLimits] = useState<Record<string, number>>({})
  const [warnAt, setWarnAt] = useState(NaN)
  const [onExceeded, setOnExceeded] = useState<'fail' | 'answer'>('fail')
  const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => !Number.isNaN(limit)))
  const isLimited = Object.keys(given).length > 0
  const form = legend !== undefined && (
    <fieldset>
      <legend>{legend}</legend>
      <div className="spending-limits">
        {LIMITS.map(({ name, label, unit, step }) => (
          <label key={name}>
            {label}
            <input
              type="number"
              min={step === 1 ? 1 : 0}
              step={step}
              placeholder="no limit"
              onChange={({ target }) => setLimits({ ...limits, [name]: inUnits(target.valueAsNumber, unit) })}
            />
          </label>
        ))}
        <label>
          Warn at, in %
          <input
            type="number"
            min={1}
            max={PERCENT}
            placeholder="80"
            disabled={!isLimited}
            onChange={({ target }) => setWarnAt(target.valueAsNumber / PERCENT)}
          />
        </label>
        <label>
          When it is used up
          <select
            value={onExceeded}
            disabled={!isLimited}
            onChange={({ target }) => setOnExceeded(target.value as 'fail' | 'answer')}
          >
            <option value="fail">fail</option>
            <option value="answer">answer once more</option>
          </select>
        </label>
      </div>
    </fieldset>
  )
  const rules = { ...(!Number.isNaN(warnAt) && { warnAt }), ...(onExceeded === 'answer' && { onExceeded }) }
  return [isLimited ? { ...given, ...rules } : undefined, form]
}

function inUnits(value: number, unit: number): number {
  return unit === 1 ? value : Math.round(value * unit)
}
