import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { JobFilter } from '../../api/queries.ts'
import { useMaySubmit, useOffered } from '../../api/queries.ts'
import { Panel } from '../../parts/panel.tsx'
import { CancelMatching } from './cancel-matching.tsx'
import { FilterBar } from './filter-bar.tsx'
import { JobTable } from './job-table.tsx'

/** All executions, newest first, by what the address filters them. */
export function Executions() {
  const filter = useSearch({ from: '/executions' })
  const navigate = useNavigate({ from: '/executions' })
  const [canceling, setCanceling] = useState(false)
  const maySubmit = useMaySubmit()
  const canCancel = useOffered().has('post /api/jobs/cancel') && maySubmit
  const setFilter = (search: JobFilter): void => void navigate({ search })
  const { status, ...rest } = filter
  const isNarrow = Object.keys(rest).length > 0 && (status === undefined || status === 'running')
  return (
    <>
      <h1 className="visually-hidden">Executions</h1>
      <Panel
        title="Executions"
        flush
        actions={
          canCancel &&
          isNarrow && (
            <button type="button" className="danger" onClick={() => setCanceling(true)}>
              Cancel all that run and match …
            </button>
          )
        }
      >
        <FilterBar filter={filter} onFilter={setFilter} />
        <JobTable key={JSON.stringify(filter)} filter={filter} onFilter={setFilter} />
      </Panel>
      {canceling && <CancelMatching filter={rest} onClose={() => setCanceling(false)} />}
    </>
  )
}
