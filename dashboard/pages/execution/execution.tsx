import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Schema } from '../../../client/index.ts'
import { useJob } from '../../api/queries.ts'
import { noteVisit } from '../../live/recent.ts'
import { useStore } from '../../live/store.ts'
import { LiveText } from '../../parts/live-text.tsx'
import { Loaded } from '../../parts/panel.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Timeline } from '../../waterfall/timeline.tsx'
import { DataTab } from './data-tab.tsx'
import { ExecutionFailure } from './execution-failure.tsx'
import { ExecutionHead } from './execution-head.tsx'
import { LogTab } from './log-tab.tsx'
import { SpanDrawer } from './span-drawer.tsx'
import { TokensTab } from './tokens-tab.tsx'
import { TraceNote } from './trace-note.tsx'
import { useTrace } from './use-trace.ts'

/** One execution: what it was given, what it did, what came of it. */
export function ExecutionPage() {
  const { id } = useParams({ from: '/executions/$id' })
  const job = useJob(id)
  return (
    <Loaded query={job} lines={8} heading="Execution" instead={<Link to="/executions">All executions</Link>}>
      {(data) => <Execution key={id} id={id} job={data} />}
    </Loaded>
  )
}

const TABS = [
  { id: 'timeline', label: 'Timeline' },
  { id: 'log', label: 'Log' },
  { id: 'data', label: 'Input and output' },
  { id: 'tokens', label: 'Tokens and cost' },
] as const

function Execution({ id, job }: { id: string; job: Schema<'Job'> }) {
  const store = useTrace(id)
  const trace = useStore(store)
  const search = useSearch({ from: '/executions/$id' })
  const navigate = useNavigate({ from: '/executions/$id' })
  const change = (next: Partial<typeof search>): void =>
    void navigate({ search: { ...search, ...next }, replace: true })
  const tab = search.tab ?? 'timeline'
  const shared = {
    find: search.find ?? '',
    errorsOnly: search.errors ?? false,
    onFind: (find: string) => change({ find: find || undefined }),
    onErrorsOnly: (errors: boolean) => change({ errors: errors || undefined }),
    span: search.span,
    onOpen: (span: number) => change({ span }),
  }
  const drawer = { table: trace.table, onOpen: shared.onOpen, onClose: () => change({ span: undefined }) }
  const { from, to } = search
  const zoom = from === undefined || to === undefined || to <= from ? undefined : { from, to }
  useEffect(() => noteVisit({ kind: 'execution', id, label: job.pipeline_name }), [id, job.pipeline_name])
  return (
    <>
      <ExecutionHead job={job} table={trace.table} />
      <ExecutionFailure job={job} table={trace.table} onOpen={(span) => change({ span })} />
      <Tabs tabs={TABS} selected={tab} onSelect={(next) => change({ tab: next === 'timeline' ? undefined : next })}>
        {tab === 'timeline' && (
          <>
            <TraceNote trace={trace} job={job} />
            <Timeline
              trace={trace}
              running={job.completed_at === null}
              {...shared}
              path={search.path ?? false}
              onPath={(path) => change({ path: path || undefined })}
              fold={search.fold ?? false}
              onFold={(fold) => change({ fold: fold || undefined })}
              zoom={zoom}
              onZoom={(next) => change({ from: next?.from, to: next?.to })}
            />
            <LiveText answers={trace.live} />
          </>
        )}
        {tab === 'log' && (
          <>
            <TraceNote trace={trace} job={job} />
            <LogTab trace={trace} {...shared} />
          </>
        )}
        {tab === 'data' && <DataTab job={job} />}
        {tab === 'tokens' && <TokensTab job={job} trace={trace} onOpen={shared.onOpen} />}
      </Tabs>
      {search.span !== undefined && <SpanDrawer key={search.span} id={search.span} {...drawer} />}
    </>
  )
}
