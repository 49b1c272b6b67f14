import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { MAX_LOST_WORKERS } from '../../core/transitions.ts'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { deletionsOf, finishDeletion } from '../../store/housekeeping/deletion.ts'
import type { Content, ExecutionDocument } from '../../store/documents.ts'
import { createContents } from '../../store/objects/contents.ts'
import { collectOrphans } from '../../store/housekeeping/orphans.ts'
import { createS3Blobs } from '../../store/objects/s3.ts'
import type { Clients } from './clients.ts'
import type { Subject } from './subject.ts'
import type { Entry } from './journal.ts'
import type { Observed } from './observer.ts'
import type { Topology } from './topology.ts'
import { wrongOutcome, type Work } from './work.ts'

export interface CheckInput {
  topology: Topology
  clients: Pick<Clients, 'subjects' | 'unsure'>
  observed: Observed
  entries: Entry[]
}

const DAY_MS = 86_400_000

/** Opens the store of a run past the service. */
export function storeOf({ env }: Topology): Store {
  return connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'chaos' })
}

/** Waits until all that the service accepted has come to rest. Gives what has not. */
export async function waitForRest(store: Store, withinMs: number): Promise<string[]> {
  const until = Date.now() + withinMs
  for (;;) {
    const executions = await store.executions.find({ completed_at: null }).toArray()
    const batches = await store.batches.find({ completed_at: null }).toArray()
    const open = [...executions, ...batches].map(({ _id, status }) => `${_id} (${status}) has not come to rest`)
    if (open.length === 0 || Date.now() > until) return open
    await sleep(1_000)
  }
}

/** Compares what clients were told with what is stored. Gives what does not agree. */
export async function checkStored(
  store: Store,
  { topology, clients, observed, entries }: CheckInput,
): Promise<string[]> {
  const blobs = blobsOf(topology)
  const contents = createContents({ blobs, limitBytes: 0 })
  const violations: string[] = []
  const executions = new Map<string, ExecutionDocument>()
  const byMarker = new Map<string, string[]>()
  for await (const execution of store.executions.find()) {
    executions.set(execution._id, execution)
    const { _id, status, trouble } = execution
    if (trouble !== (status === 'failed' || status === 'canceled' ? status : undefined))
      violations.push(`${_id} is ${status}, and its trouble is said to be ${trouble}`)
    const marker = markerOf(execution.inputs)
    if (marker !== undefined && execution.replay_of === undefined)
      byMarker.set(marker, [...(byMarker.get(marker) ?? []), execution._id])
  }
  for await (const { _id } of store.open.find()) violations.push(`${_id} is still open`)
  const canceled = canceledIds(entries)
  const check = async (work: Work, id: string, subject: Subject): Promise<void> => {
    const ids = byMarker.get(work.marker) ?? []
    const execution = executions.get(id)
    if (execution === undefined) {
      if (!subject.deleted && !observed.deleted.has(id))
        violations.push(`${id} was accepted and is lost (${work.agent})`)
      return
    }
    if (ids.length > 1) violations.push(`${work.marker} was accepted once and runs as ${ids.join(', ')}`)
    if (execution.status === 'canceled' && (canceled.has(id) || canceled.has(subject.id))) return
    const outputs = (await contents.value(execution.outputs ?? { json: 'null' })) as Record<string, unknown> | null
    // By design, after three processes that died or froze over it in a row, some of them before it had any effect.
    const takes = Object.values(execution.takes ?? {})
    const isGivenUp = execution.error?.startsWith('Its worker died or froze') === true
    if (isGivenUp && takes.some(({ lost }) => lost >= MAX_LOST_WORKERS - 1)) return
    const wrong = wrongOutcome(work, { status: execution.status, outputs, error: execution.error })
    if (wrong !== undefined) violations.push(`${id} (${work.agent}): ${wrong}`)
  }
  for (const subject of clients.subjects) {
    if (subject.kind !== 'batch') {
      if (subject.work[0] !== undefined) await check(subject.work[0], subject.id, subject)
      continue
    }
    for (const [index, id] of subject.tasks.entries()) await check(subject.work[index] as Work, id, subject)
    if (!subject.deleted) violations.push(...(await checkBatch(store, subject)))
  }
  for (const { work, refused } of clients.unsure) {
    const ids = byMarker.get(work.marker) ?? []
    if (ids.length > 1) violations.push(`${work.marker} was submitted once and runs as ${ids.join(', ')}`)
    if (refused && ids.length > 0) violations.push(`${ids.join()} runs although nothing was to be started`)
  }
  blobs.close()
  return violations
}

function blobsOf({ env }: Topology) {
  return createS3Blobs({
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION ?? 'us-east-1',
    bucket: env.S3_BUCKET ?? '',
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    sessionToken: undefined,
  })
}

async function checkBatch(store: Store, { id, tasks }: Subject): Promise<string[]> {
  const batch = await store.batches.findOne({ _id: id })
  if (batch === null) return [`the batch ${id} was accepted and is lost`]
  const count = (filter: object) => store.executions.countDocuments({ batch_id: id, ...filter })
  const [all, succeeded] = [await count({}), await count({ status: 'completed' })]
  const isRight =
    batch.task_count === all && batch.succeeded === succeeded && batch.failed === all - succeeded && all >= tasks.length
  const numbers = { count: batch.task_count, succeeded: batch.succeeded, failed: batch.failed }
  return isRight
    ? []
    : [`the batch ${id} counts ${JSON.stringify(numbers)}, there are ${all} of which ${succeeded} succeeded`]
}

function canceledIds(entries: Entry[]): Set<string> {
  const ids = entries.flatMap(({ what }) => /^POST \/api\/\w+\/([^/]+)\/cancel$/.exec(what)?.[1] ?? [])
  return new Set(ids)
}

/** Work that Temporal still runs, other than what always does. */
export async function checkTemporal({ env }: Topology): Promise<string[]> {
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' })
  try {
    const client = new Client({ connection })
    // What has ended is listed as ended a moment later.
    for (let attempt = 0; ; attempt += 1) {
      const left: string[] = []
      const open = client.workflow.list({ query: `ExecutionStatus = "Running"` })
      for await (const { workflowId, type } of open)
        if (type !== 'reconcile' && !type.startsWith('temporal-sys')) left.push(workflowId)
      if (left.length === 0 || attempt === 20) return left.map((id) => `the workflow ${id} still runs`)
      await sleep(1_000)
    }
  } finally {
    await connection.close()
  }
}

/** Lets the collector do its work, as if days had passed, and looks whether anything that a record points to is gone. */
export async function checkObjects(
  store: Store,
  topology: Topology,
): Promise<{ violations: string[]; objects: number; orphans: number }> {
  const blobs = blobsOf(topology)
  const list = async (): Promise<Set<string>> => {
    const keys = new Set<string>()
    for (const prefix of ['inputs/', 'responses/', 'steps/', 'idempotency/']) {
      for (let after = ''; ;) {
        const page = await blobs.list(prefix, after)
        for (const { key } of page) keys.add(key)
        const last = page.at(-1)
        if (last === undefined) break
        after = last.key
      }
    }
    return keys
  }
  const collect = async (now: Date): Promise<void> => {
    for await (const _position of collectOrphans({ store, blobs }, now)) continue
  }
  try {
    // What a deletion could not reach, and the service would have finished a little later.
    for await (const deletion of deletionsOf(store).find()) {
      for await (const _counts of finishDeletion({ store, blobs }, deletion)) continue
    }
    const before = await list()
    const pointed = await pointedKeys(store)
    const dangling = [...pointed]
      .filter((key) => !before.has(key))
      .map((key) => `${key} is recorded and does not exist`)
    await collect(new Date())
    await collect(new Date(Date.now() + 3 * DAY_MS))
    const after = await list()
    const taken = [...pointed]
      .filter((key) => before.has(key) && !after.has(key))
      .map((key) => `${key} is recorded and was collected`)
    const left = [...after]
      .filter((key) => !pointed.has(key))
      .map((key) => `nothing points to ${key}, and nobody collects it`)
    return { violations: [...dangling, ...taken, ...left], objects: before.size, orphans: before.size - after.size }
  } finally {
    blobs.close()
  }
}

async function pointedKeys(store: Store): Promise<Set<string>> {
  const keys = new Set<string>()
  const add = (content: Content | null | undefined): void => {
    if (content != null && 'pointer' in content) keys.add(content.pointer.key)
  }
  for await (const { inputs, outputs } of store.executions.find()) {
    add(inputs)
    add(outputs)
  }
  for await (const { result } of store.steps.find()) add(result)
  for await (const { payload } of store.traces.find({ payload: /"offloaded":true/ })) {
    for (const [, key] of payload.matchAll(/"offloaded":true,"pointer":\{[^}]*"key":"([^"]+)"/g))
      keys.add(key as string)
  }
  return keys
}

function markerOf(inputs: Content): string | undefined {
  const value = valueOf(inputs)
  const marker = value?.marker ?? value?.message
  return typeof marker === 'string' ? marker : undefined
}

function valueOf(content: Content | null): Record<string, unknown> | null {
  return content !== null && 'json' in content ? (JSON.parse(content.json) as Record<string, unknown>) : null
}
