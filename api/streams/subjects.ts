import type { Filter } from 'mongodb'
import type { EndState } from '../../core/ending.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { TraceDocument } from '../../store/documents.ts'
import type { WatchTopic } from '../../store/feed/watches.ts'
import { batchComplete, executionComplete, type Payload } from './complete.ts'

/** The subject of a trace stream: an execution or a batch. */
export interface Subject {
  kind: 'prompt' | 'batch'
  id: string
  topic: WatchTopic
  filter: Filter<TraceDocument>
  /** Its current state; undefined when the id does not exist. */
  load: () => Promise<Found | undefined>
}

export interface Found {
  state: EndState
  /** A canceled task of an ended batch that has not stopped yet and may still write events. */
  stoppingTask?: string | undefined
  /** Builds the `complete` message of this end. */
  complete: (payload: Payload) => Promise<string>
}

/** An execution of any kind. */
export function executionSubject(store: Store, id: string): Subject {
  return {
    kind: 'prompt',
    id,
    topic: { job: id },
    filter: { job_id: id },
    async load() {
      const state = await store.executions.findOne({ _id: id }, { projection: { inputs: 0 } })
      return state === null ? undefined : { state, complete: (payload) => executionComplete(store, state, payload) }
    },
  }
}

/** A batch as the subject of a trace stream. */
export function batchSubject(store: Store, id: string): Subject {
  return {
    kind: 'batch',
    id,
    topic: { batch: id },
    filter: { batch_id: id },
    async load() {
      const { batches, executions, open } = store
      const state = await batches.findOne({ _id: id })
      if (state === null) return undefined
      const left = state.completed_at && (await open.findOne({ batch_id: id }))
      // The feed will report only the end of the task, not another end of the batch.
      const task = left && (await executions.findOne({ _id: left._id, completed_at: null }, { projection: { _id: 1 } }))
      return { state, stoppingTask: task?._id, complete: (payload) => batchComplete(store, state, payload) }
    },
  }
}
