import { durationText } from '../../../client/index.ts'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Schema } from '../../../client/index.ts'
import { useJob } from '../../api/queries.ts'
import { useStore } from '../../live/store.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { answerText } from '../../parts/answer-text.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { useTrace } from '../execution/use-trace.ts'
import { align } from './align.ts'
import { AlignedRows } from './aligned-rows.tsx'
import { signed } from './signed.ts'
import { ValuesDiff } from './values-diff.tsx'

/** Two executions beside each other. */
export function Compare() {
  const { a, b } = useSearch({ from: '/compare' })
  if (a === undefined || b === undefined) {
    return (
      <Empty title="Choose two executions to compare." heading>
        <Link to="/executions">In the list of executions</Link>
      </Empty>
    )
  }
  return <Both key={`${a} ${b}`} a={a} b={b} />
}

function Both({ a, b }: { a: string; b: string }) {
  const [left, right] = [useJob(a), useJob(b)]
  const both = left.data && right.data ? { left: left.data, right: right.data } : undefined
  const failing = left.data === undefined ? left : right
  return (
    <>
      <div className="page-title">
        <h1>Compare</h1>
      </div>
      <Loaded query={{ ...failing, data: both }} lines={8}>
        {(jobs) => (
          <>
            <Sides {...jobs} />
            <Traces a={a} b={b} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Sides({ left, right }: { left: Schema<'Job'>; right: Schema<'Job'> }) {
  const inputs = [JSON.stringify(left.inputs, null, 2), JSON.stringify(right.inputs, null, 2)] as const
  const words = [answerText(left.outputs), answerText(right.outputs)] as const
  const sameInputs = inputs[0] === inputs[1]
  const whole = [JSON.stringify(left.outputs, null, 2), JSON.stringify(right.outputs, null, 2)] as const
  const sameOutputs = whole[0] === whole[1]
  // The same words with something else beside them differ elsewhere.
  const outputs = words[0] === words[1] ? whole : words
  return (
    <>
      <p className="note note-calm">
        The inputs are {sameInputs ? 'equal' : 'different'}; the outputs are {sameOutputs ? 'equal' : 'different'}.
      </p>
      <div className="columns columns-even">
        <Side job={left} name="A" other={undefined} />
        <Side job={right} name="B" other={left} />
      </div>
      {!sameInputs && <ValuesDiff title="Inputs" left={inputs[0]} right={inputs[1]} />}
      {!sameOutputs && <ValuesDiff title="Outputs" left={outputs[0]} right={outputs[1]} />}
    </>
  )
}

function tookMs({ created_at, completed_at }: Schema<'Job'>): number | undefined {
  return completed_at === null ? undefined : Date.parse(completed_at) - Date.parse(created_at)
}

function Side({ job, name, other }: { job: Schema<'Job'>; name: string; other: Schema<'Job'> | undefined }) {
  const took = tookMs(job)
  const before = other === undefined ? undefined : tookMs(other)
  const tokens = job.token_usage.total_tokens
  return (
    <Panel
      title={`${name} · ${job.agents.join(' → ')}`}
      actions={
        <Link to="/executions/$id" params={{ id: job.job_id }}>
          <code>{shortId(job.job_id)}</code>
        </Link>
      }
    >
      <p className="run-line">
        <Status status={job.status} />
        <span className="number">
          {took === undefined ? 'runs' : durationText(took)}
          {took !== undefined && before !== undefined && ` (${signed(took - before, durationText)})`}
        </span>
        <span className="number">
          {formatCount(tokens)} tokens
          {other !== undefined && ` (${signed(tokens - other.token_usage.total_tokens, formatCount)})`}
        </span>
      </p>
      {job.error !== null && <p className="error-line">{job.error}</p>}
    </Panel>
  )
}

function Traces({ a, b }: { a: string; b: string }) {
  const left = useStore(useTrace(a))
  const right = useStore(useTrace(b))
  const rows = useMemo(
    () => align(left.table, right.table),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the tables are changed in place; their versions say when
    [left.version, right.version],
  )
  const first = rows.findIndex((row) => row.left === undefined || row.right === undefined)
  const [shown, setShown] = useState<number>()
  return (
    <Panel
      title="Events"
      flush
      actions={
        first === -1 ? (
          <span className="dim">The same events on both sides.</span>
        ) : (
          <button type="button" className="link" onClick={() => setShown(first)}>
            The first difference is in row {formatCount(first + 1)}.
          </button>
        )
      }
    >
      {rows.length === 0 ? (
        <Empty title="No events." />
      ) : (
        <AlignedRows
          rows={rows}
          shown={shown}
          left={{ id: a, table: left.table }}
          right={{ id: b, table: right.table }}
        />
      )}
    </Panel>
  )
}
