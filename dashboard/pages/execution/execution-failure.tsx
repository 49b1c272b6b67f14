import type { Schema } from '../../../client/index.ts'
import type { TraceTable } from '../../waterfall/trace-table.ts'

/** What failures keep beside their error, and what it is. */
const KEPT = [
  { field: 'raw', title: 'What the model wrote', code: 'invalid_output' },
  { field: 'partial', title: 'What there was until then', code: 'budget_exceeded' },
] as const

interface ExecutionFailureProps {
  job: Pick<Schema<'Job'>, 'error' | 'outputs'>
  table: TraceTable
  onOpen: (event: number) => void
}

/** Why an execution failed, in the service's words, where that is in its trace, and what there is all the same. */
export function ExecutionFailure({ job: { error, outputs }, table, onOpen }: ExecutionFailureProps) {
  if (error === null) return null
  const row = table.type.lastIndexOf('error')
  const kept = KEPT.find(({ field }) => outputs?.[field] != null)
  return (
    <div className="stack" data-failure={kept?.code}>
      <p className="error-line" data-error>
        {error}
        {row !== -1 && (
          <>
            {' '}
            <button type="button" className="link" onClick={() => onOpen(table.id[row] as number)}>
              {table.agent[row]}, event {table.id[row]}
            </button>
          </>
        )}
      </p>
      {kept !== undefined && (
        <details open>
          <summary>
            {kept.title} <code>outputs.{kept.field}</code>
          </summary>
          <pre className="plain-text" tabIndex={0} aria-label={kept.title}>
            {textOf(outputs?.[kept.field])}
          </pre>
        </details>
      )}
    </div>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
