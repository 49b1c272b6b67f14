import type { Filter } from 'mongodb'
import type { EndState } from '../../core/ending.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import type { TraceDocument } from '../../store/documents.ts'
import type { WatchTopic } from '../../store/feed/watches.ts'
import { batchComplete, executionComplete, type Payload } from './complete.ts'

/** What a trace stream shows: an execution or a batch. */
export interface Subject {
  kind: 'prompt' | 'batch'
  id: string
  topic: WatchTopic
  filter: Filter<TraceDocument>
  /** Where it stands; undefined when there is none of this id. */
  load: () => Promise<Found | undefined>
}

export interface Found {
  state: EndState
  /** A canceled task of a batch that has ended: it has not stopped yet, and may go on writing. */
  stoppingTask?: string | undefined
  /** Composes the `complete` message of the end that was found. */
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
      // Its own end is what will be heard of; what has ended says nothing more.
      const task = left && (await executions.findOne({ _id: left._id, completed_at: null }, { projection: { _id: 1 } }))
      return { state, stoppingTask: task?._id, complete: (payload) => batchComplete(store, state, payload) }
    },
  }
}
