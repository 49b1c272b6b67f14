import { Link } from '@tanstack/react-router'
import type { Schema } from '../../../client/index.ts'
import { useRole } from '../../api/queries.ts'

/** What the service deletes by itself, and how a person deletes the rest. */
export function Retention({ days: { traces, executions } }: { days: Schema<'About'>['retention_days'] }) {
  const role = useRole()
  return (
    <div className="stack">
      <dl className="facts">
        <div>
          <dt>Trace events</dt>
          <dd>{keptFor(traces)}</dd>
        </div>
        <div>
          <dt>Executions and batches that have ended</dt>
          <dd>{keptFor(executions)}</dd>
        </div>
      </dl>
      <p className="dim">
        <code>TRACE_RETENTION_DAYS</code> and <code>EXECUTION_RETENTION_DAYS</code> set it. What runs is never deleted.
      </p>
      {role === 'admin' && (
        <p>
          Choose what has ended in the <Link to="/executions">executions</Link>, or open a{' '}
          <Link to="/batches">batch</Link>, and delete it there: with its traces, steps and stored objects, for good.
        </p>
      )}
      {role !== undefined && role !== 'admin' && <p>Only a key with the role admin deletes.</p>}
    </div>
  )
}

function keptFor(days: number | null): string {
  return days === null ? 'kept until somebody deletes them' : `kept for ${days} ${days === 1 ? 'day' : 'days'}`
}
