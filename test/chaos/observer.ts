import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeStreamDocument, ResumeToken } from 'mongodb'
import type { Store } from '../../store/mongodb/connect.ts'
import { now } from './journal.ts'

/** What the database did, as one outside the service saw it commit. */
export interface Observed {
  /** When each step was recorded, by its key; what came of it is seen a moment later. */
  steps: Map<string, number>
  /** Trace events: their ids in the order of commits, and their jobs. */
  traces: { id: number; job: string; batch: string | undefined }[]
  deleted: Set<string>
  /** Executions that clients deleted; others that went were withdrawn. */
  deletions: number
  /** What nobody may do: to change what is recorded. */
  violations: string[]
}

interface Known {
  status: string
  atRest: boolean
}

const FINAL = new Set(['completed', 'failed', 'canceled'])

/** Follows the database past the service, through every interruption of it; the store is not closed. */
export async function startObserver(store: Store): Promise<Observed & { end: () => Promise<void> }> {
  const observed: Observed = { steps: new Map(), traces: [], deleted: new Set(), deletions: 0, violations: [] }
  const known = new Map<string, Known>()
  let ending = false
  let token: ResumeToken | undefined
  let isOpen = Promise.withResolvers<void>()
  const opened = isOpen.promise

  const see = (change: ChangeStreamDocument): void => {
    if (!('ns' in change) || !('coll' in change.ns)) return
    const { coll } = change.ns
    if (coll === 'steps') seeStep(observed, change)
    if (coll === 'traces') seeTrace(observed, change)
    if (coll === 'executions') seeExecution(observed, known, change)
    if (coll === 'deletions' && change.operationType === 'insert') observed.deletions += change.fullDocument.jobs.length
  }
  const follow = async (): Promise<void> => {
    while (!ending) {
      const stream = store.db.watch([], token === undefined ? {} : { resumeAfter: token })
      try {
        while (!ending) {
          const change = await stream.tryNext()
          token = stream.resumeToken
          isOpen.resolve()
          if (change !== null) see(change)
        }
      } catch {
        await sleep(500)
      } finally {
        await stream.close().catch(() => undefined)
      }
    }
  }
  const following = follow()
  await opened
  isOpen = Promise.withResolvers()
  return Object.assign(observed, {
    end: async () => {
      // What was committed last is still on its way.
      await sleep(2_000)
      ending = true
      await following
    },
  })
}

function seeStep({ steps, violations, deleted }: Observed, change: ChangeStreamDocument): void {
  if (change.operationType === 'insert') {
    const key = String(change.documentKey._id)
    if (steps.has(key)) violations.push(`the step ${key} was recorded twice`)
    if (deleted.has(jobOf(key))) violations.push(`the step ${key} was recorded after its execution was deleted`)
    steps.set(key, now())
  }
  if (change.operationType === 'update' || change.operationType === 'replace') {
    violations.push(`the step ${String(change.documentKey._id)} was changed: ${JSON.stringify(change)}`)
  }
  if (change.operationType === 'delete') {
    const key = String(change.documentKey._id)
    if (!deleted.has(jobOf(key))) violations.push(`the step ${key} was deleted, its execution was not`)
  }
}

function seeTrace({ traces, violations }: Observed, change: ChangeStreamDocument): void {
  if (change.operationType === 'insert') {
    const id = Number(change.documentKey._id)
    const last = traces.at(-1)?.id ?? 0
    if (id <= last) violations.push(`the trace event ${id} became visible after ${last}`)
    const { job_id: job, batch_id: batch } = change.fullDocument
    traces.push({ id, job, batch })
  }
  if (change.operationType === 'update' || change.operationType === 'replace') {
    violations.push(`the trace event ${String(change.documentKey._id)} was changed`)
  }
}

function seeExecution(
  { violations, deleted }: Observed,
  known: Map<string, Known>,
  change: ChangeStreamDocument,
): void {
  if (change.operationType === 'insert') {
    const id = String(change.documentKey._id)
    // What was withdrawn is stored again when its client tries again under the same key.
    deleted.delete(id)
    known.set(id, { status: change.fullDocument.status, atRest: change.fullDocument.completed_at !== null })
  }
  if (change.operationType === 'delete') deleted.add(String(change.documentKey._id))
  if (change.operationType !== 'update') return
  const id = String(change.documentKey._id)
  const fields = change.updateDescription.updatedFields ?? {}
  const before = known.get(id)
  if (before === undefined) return
  const changed = Object.keys(fields)
  if (before.atRest) violations.push(`execution ${id} had come to rest and was changed: ${changed.join(', ')}`)
  if (FINAL.has(before.status)) {
    const forbidden = changed.filter((name) => /^(status|outputs|error|inputs|agents)\b/.test(name))
    const same = forbidden.every((name) => name === 'status' && fields.status === before.status)
    if (!same) violations.push(`execution ${id} was ${before.status} and changed: ${JSON.stringify(fields)}`)
  }
  if (typeof fields.status === 'string') before.status = fields.status
  if (fields.completed_at != null) before.atRest = true
}

function jobOf(stepKey: string): string {
  return stepKey.slice(0, stepKey.indexOf('|'))
}
