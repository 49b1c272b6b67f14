import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useJob } from '../../api/queries.ts'
import { useStore } from '../../live/store.ts'
import { Panel } from '../../parts/panel.tsx'
import { RunTimeline } from '../execution/run-timeline.tsx'
import { useTrace } from '../execution/use-trace.ts'

/** What an agent does to answer a message, while it does it. */
export function ChatSteps({ id }: { id: string }) {
  const trace = useStore(useTrace(id))
  const { data: job } = useJob(id)
  const [span, setSpan] = useState<number>()
  return (
    <Panel
      title="Steps to the answer"
      actions={
        <Link to="/executions/$id" params={{ id }}>
          Open the execution
        </Link>
      }
    >
      <RunTimeline trace={trace} running={job?.completed_at === null} span={span} onSpan={setSpan} />
    </Panel>
  )
}
