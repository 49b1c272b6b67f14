import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { budgetText, costText, type Schema } from '../../../client/index.ts'
import { useJob } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { useStore } from '../../live/store.ts'
import { Answer, AnswerForm } from '../../parts/answer.tsx'
import { answerText } from '../../parts/answer-text.ts'
import { formatCount } from '../../parts/format.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { LiveText } from '../../parts/live-text.tsx'
import { NoWorker } from '../../parts/no-worker.tsx'
import { Loaded, Panel } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Duration } from '../../parts/time.tsx'
import { ExecutionFailure } from '../execution/execution-failure.tsx'
import { RunTimeline } from '../execution/run-timeline.tsx'
import { useTrace } from '../execution/use-trace.ts'

/** What came of a run, live: its answer and its trace. */
export function PlaygroundRun({ id }: { id: string }) {
  const job = useJob(id)
  return (
    <Panel
      title="Result"
      actions={
        <Link to="/executions/$id" params={{ id }}>
          Open the execution
        </Link>
      }
    >
      <Loaded query={job} lines={6}>
        {(data) => <Run id={id} job={data} />}
      </Loaded>
    </Panel>
  )
}

function Run({ id, job }: { id: string; job: Schema<'Job'> }) {
  const trace = useStore(useTrace(id))
  const [span, setSpan] = useState<number>()
  const { status, created_at, completed_at, token_usage, cost, budget, outputs, error } = job
  const text = outputs === null ? '' : answerText(outputs)
  const isWords = text !== '' && !text.startsWith('{')
  return (
    <div className="stack">
      <p className="run-line">
        <Status status={status} /> <Duration from={created_at} to={completed_at} />
        <span className="dim number">
          {formatCount(token_usage.total_tokens)} tokens
          {token_usage.by_model.length > 0 && `, cost ${costText(cost)}`}
          {budget != null && ` · budget ${budgetText(budget)}`}
        </span>
        <span className="spacer" />
        {error === null && isWords && <AnswerForm />}
        {status === 'running' && (
          <button type="button" className="danger" onClick={() => void troupe().prompts.cancel(id)}>
            Cancel
          </button>
        )}
      </p>
      {status === 'running' && <NoWorker agents={job.agents} />}
      {status === 'running' && <LiveText answers={trace.live} />}
      <ExecutionFailure job={job} table={trace.table} onOpen={setSpan} />
      {outputs !== null &&
        error === null &&
        (isWords ? (
          <div className="answer" tabIndex={0} role="group" aria-label="The answer">
            <Answer text={text} />
          </div>
        ) : (
          <JsonView value={outputs} label="the answer" />
        ))}
      <RunTimeline trace={trace} running={completed_at === null} span={span} onSpan={setSpan} />
    </div>
  )
}
