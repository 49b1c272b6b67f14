import type { Told } from './check-told.ts'
import type { Work } from './work.ts'

/** Something that the service accepted. */
export interface Subject {
  id: string
  kind: 'prompt' | 'job' | 'chat' | 'batch'
  /** Of a batch: those of its tasks, in order. */
  work: Work[]
  tasks: string[]
  /** The last that a client was told. */
  ended: boolean
  deleted: boolean
  /** What polls told about it. */
  told: Told
}
