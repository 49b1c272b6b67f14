import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Schema } from '../../../client/index.ts'
import { useBatch } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { noteVisit } from '../../live/recent.ts'
import { formatCount } from '../../parts/format.ts'
import { Loaded, Panel } from '../../parts/panel.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { BatchHead } from './batch-head.tsx'
import { BatchInputs } from './batch-inputs.tsx'
import { BatchTokens } from './batch-tokens.tsx'
import { FailureGroups } from './failure-groups.tsx'
import { TaskGrid } from './task-grid.tsx'
import { TaskTable } from './task-table.tsx'
import { useRate } from './use-rate.ts'

/** One batch: exact numbers, every task as a cell, failures first. */
export function BatchPage() {
  const { id } = useParams({ from: '/batches/$id' })
  const query = useBatch(id)
  return (
    <Loaded query={query} lines={8} heading="Batch" instead={<Link to="/batches">All batches</Link>}>
      {(grid) => <Batch key={id} grid={grid} readAtMs={query.dataUpdatedAt} />}
    </Loaded>
  )
}

const TABS = [
  { id: 'failures', label: 'Failures' },
  { id: 'tasks', label: 'Tasks' },
  { id: 'inputs', label: 'Inputs' },
  { id: 'tokens', label: 'Tokens and cost' },
] as const

function Batch({ grid, readAtMs }: { grid: Schema<'BatchGrid'>; readAtMs: number }) {
  const { batch_id: id, summary } = grid
  const { tab = 'failures', state } = useSearch({ from: '/batches/$id' })
  const navigate = useNavigate()
  const rate = useRate(summary, readAtMs)
  async function openTask(index: number): Promise<void> {
    const request = { path: { batch_id: id }, query: { offset: index, limit: 1 } }
    const { tasks } = await troupe().request('get', '/api/batches/{batch_id}/tasks', request)
    if (tasks[0]) await navigate({ to: '/executions/$id', params: { id: tasks[0].task_id } })
  }
  useEffect(() => noteVisit({ kind: 'batch', id, label: '' }), [id])
  return (
    <>
      <BatchHead grid={grid} rate={rate} />
      <Panel title={summary.total_expected === 1 ? '1 task' : `All ${formatCount(summary.total_expected)} tasks`}>
        <TaskGrid
          letters={grid.tasks}
          onOpen={openTask}
          onState={(wanted) =>
            void navigate({
              to: '/batches/$id',
              params: { id },
              search: { tab: 'tasks', state: wanted },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </Panel>
      <Tabs
        tabs={TABS}
        selected={tab}
        onSelect={(next) => {
          const search = next === 'failures' ? {} : { tab: next }
          void navigate({ to: '/batches/$id', params: { id }, search, replace: true })
        }}
      >
        {tab === 'failures' && (
          <Panel title="Failures by error">
            <FailureGroups batchId={id} failed={summary.failed - grid.canceled} running={grid.completed_at === null} />
          </Panel>
        )}
        {tab === 'tasks' && <TaskTable batchId={id} state={state} ended={summary.recorded} />}
        {tab === 'inputs' && <BatchInputs batchId={id} tasks={summary.total_expected} onOpen={openTask} />}
        {tab === 'tokens' && <BatchTokens grid={grid} />}
      </Tabs>
    </>
  )
}
