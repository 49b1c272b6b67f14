import { randomUUID } from 'node:crypto'
import { startPath } from '../../core/step-path.ts'
import { isOrphan, parseObjectKey, type ObjectRecords, type StoredObject } from '../../core/stored-object.ts'
import type { BlobEntry } from '../objects/blobs.ts'
import type { Store } from '../mongodb/connect.ts'
import type { DeletionDependencies } from './deletion.ts'
import type { ExecutionDocument, StepDocument } from '../documents.ts'
import { objectKey } from '../objects/contents.ts'

/** Prefixes of all objects, in the order of the keys. */
const PREFIXES = ['cache/', 'idempotency/', 'inputs/', 'responses/', 'steps/']
/** Each installation that uses a bucket writes its name here. */
const TENANTS = 'installations/'
/** Younger objects may belong to a record that is not written yet. */
const ORPHAN_AGE_MS = 86_400_000

/**
 * Removes objects without a record that are older than a day: those of superseded attempts, and those of deletions that
 * could not reach the object store.
 *
 * It does not touch a bucket that another installation also uses, because the objects may have records there.
 * @param after - the key after which to continue: the last one that an interrupted pass yielded.
 */
export async function* collectOrphans(
  deps: DeletionDependencies,
  now: Date,
  after = '',
): AsyncGenerator<string, void, undefined> {
  const before = new Date(now.getTime() - ORPHAN_AGE_MS)
  if (!(await isOnlyTenant(deps, before))) return
  for (const prefix of PREFIXES) {
    if (after > `${prefix}\u{10ffff}`) continue
    for (let at = after > prefix ? after : prefix; ;) {
      const page = await deps.blobs.list(prefix, at)
      const last = page.at(-1)
      if (last === undefined) break
      await collect(deps, page, before)
      at = last.key
      yield at
    }
  }
}

/** Whether this installation has been the only one with a name in the bucket for at least a day. */
async function isOnlyTenant({ store, blobs }: DeletionDependencies, before: Date): Promise<boolean> {
  const names = store.db.collection<{ _id: string; id: string }>('installation')
  const own = await names.findOneAndUpdate(
    { _id: 'self' },
    { $setOnInsert: { id: randomUUID() } },
    { upsert: true, returnDocument: 'after' },
  )
  const key = `${TENANTS}${own?.id}.json`
  const tenants = await blobs.list(TENANTS, TENANTS)
  const mine = tenants.find((tenant) => tenant.key === key)
  if (mine === undefined) await blobs.put(key, JSON.stringify({ database: store.db.databaseName }))
  return tenants.length === 1 && mine !== undefined && mine.modifiedAt < before
}

async function collect({ store, blobs }: DeletionDependencies, page: BlobEntry[], before: Date): Promise<void> {
  const old = page.filter(({ modifiedAt }) => modifiedAt < before)
  const parsed = old.flatMap(({ key }) => {
    const object = parseObjectKey(key)
    return object === undefined ? [] : [{ key, object }]
  })
  const recordsOf = await readRecords(
    store,
    parsed.map(({ object }) => object),
  )
  const orphans = parsed.filter(({ key, object }) => isOrphan(key, object, recordsOf(object)))
  await blobs.remove(orphans.map(({ key }) => key))
}

/** Reads MongoDB's records of these objects in four queries by primary key. */
async function readRecords(store: Store, objects: StoredObject[]): Promise<(object: StoredObject) => ObjectRecords> {
  const jobs = objects.flatMap((object) => ('job' in object ? [object.job] : []))
  const stepIds = objects.flatMap((object) =>
    object.kind === 'step' ? object.steps.map(({ path }) => `${object.job}|${path}`) : [],
  )
  const keyIds = objects.flatMap((object) => (object.kind === 'idempotency' ? [object.id] : []))
  const answerIds = objects.flatMap((object) => (object.kind === 'cache' ? [object.id] : []))
  const [executions, steps, kept, answers] = await Promise.all([
    store.executions
      .find({ _id: { $in: jobs } })
      .project<ExecutionDocument>({ completed_at: 1, takes: 1, 'inputs.pointer': 1, 'outputs.pointer': 1 })
      .toArray(),
    store.steps
      .find({ _id: { $in: stepIds } })
      .project<Pick<StepDocument, '_id'> & { attempt?: string }>({ attempt: 1 })
      .toArray(),
    store.idempotency.find({ _id: { $in: keyIds } }, { projection: { _id: 1 } }).toArray(),
    store.cache.find({ _id: { $in: answerIds } }, { projection: { pointer: 1 } }).toArray(),
  ])
  const executionOf = new Map(executions.map((execution) => [execution._id, execution]))
  const attemptOf = new Map(steps.map(({ _id, attempt }) => [_id, attempt]))
  const answerKeyOf = new Map(answers.map(({ _id, pointer }) => [_id, pointer?.key]))
  const keptIds = new Set(kept.map(({ _id }) => _id))
  return (object) => {
    const execution = 'job' in object ? executionOf.get(object.job) : undefined
    const candidates = object.kind === 'step' ? object.steps : []
    const found = candidates.flatMap(({ path }): [string, string | undefined][] => {
      const id = object.kind === 'step' ? `${object.job}|${path}` : ''
      if (attemptOf.has(id)) return [[path, attemptOf.get(id)]]
      // The start of an agent of the chain has no step record. The run's take names its writer.
      const take = Object.entries(execution?.takes ?? {}).find(
        ([field]) => path === startPath(decodeURIComponent(field)),
      )
      return take === undefined ? [] : [[path, take[1].started_by]]
    })
    return {
      execution: execution && {
        ended: execution.completed_at !== null,
        inputsKey: objectKey(execution.inputs),
        outputsKey: objectKey(execution.outputs),
      },
      steps: new Map(found),
      cacheKey: object.kind === 'cache' ? answerKeyOf.get(object.id) : undefined,
      idempotency: object.kind === 'idempotency' && keptIds.has(object.id),
    }
  }
}
