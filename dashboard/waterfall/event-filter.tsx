import { useId } from 'react'
import { formatCount } from '../parts/format.ts'
import { EVENT_WORDS } from './event-query.ts'
import type { TraceTable } from './trace-table.ts'

/** What the events of an execution are filtered by. */
export interface EventFilterProps {
  table: TraceTable
  find: string
  errorsOnly: boolean
  onFind: (find: string) => void
  onErrorsOnly: (errorsOnly: boolean) => void
}

/** Filters events by their words, their types and how long they took, and by whether they failed. */
export function EventFilter({ table, find, errorsOnly, onFind, onErrorsOnly }: EventFilterProps) {
  const id = useId()
  const failures = table.failed.reduce((sum, failed) => sum + (failed ? 1 : 0), 0)
  return (
    <>
      <input
        type="search"
        data-filter
        aria-label="Filter events"
        placeholder="Name, type:tool, slower:2s …"
        list={id}
        autoComplete="off"
        value={find}
        onChange={(event) => onFind(event.target.value)}
      />
      <datalist id={id}>
        {EVENT_WORDS.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
      <label className="check">
        <input type="checkbox" checked={errorsOnly} onChange={(event) => onErrorsOnly(event.target.checked)} />
        Failures only ({formatCount(failures)})
      </label>
    </>
  )
}
