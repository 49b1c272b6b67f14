import type { Schema } from '../../../client/index.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Empty, Panel } from '../../parts/panel.tsx'

/** What an execution was given and what came of it, whole. */
export function DataTab({ job }: { job: Schema<'Job'> }) {
  return (
    <div className="columns">
      <Panel title="Input">
        <JsonView value={job.inputs} label="the input" />
      </Panel>
      <Panel title="Output">
        {job.outputs === null ? (
          <Empty title={job.status === 'running' ? 'Not yet: it runs.' : 'None.'} />
        ) : (
          <JsonView value={job.outputs} label="the output" />
        )}
      </Panel>
    </div>
  )
}
