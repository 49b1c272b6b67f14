import type { Schema } from '../../../client/index.ts'
import { Answer, AnswerForm } from '../../parts/answer.tsx'
import { answerText } from '../../parts/answer-text.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Empty, Panel } from '../../parts/panel.tsx'

/** What an execution was given and what came of it, whole; an answer of several lines also as one reads it. */
export function DataTab({ job }: { job: Schema<'Job'> }) {
  const answer = job.status === 'completed' ? answerText(job.outputs) : ''
  return (
    <>
      {answer.includes('\n') && !answer.startsWith('{') && (
        <Panel title="Answer" actions={<AnswerForm />}>
          <Answer text={answer} />
        </Panel>
      )}
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
    </>
  )
}
