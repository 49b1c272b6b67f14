import { count } from '../../support/agents/_gate.ts'
import { NO_JSON } from './_no-json.ts'

export default {
  name: 'no-json',
  role: 'No JSON',
  goal: 'Return what is no JSON from plain code',
  run: ({ what }: { what: string }, { jobId }: { jobId: string }) => {
    count(jobId, 'begin')
    return NO_JSON[what]
  },
}
