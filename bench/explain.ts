import { setTimeout as sleep } from 'node:timers/promises'
import { startMongod } from '../test/streams/private-mongod.ts'
import { startReadService, type ReadService } from './read-service.ts'

/**
 * Query plans of all reads: `node bench/explain.ts [mongodb uri] [events]`. Exits with 1 when a query scans a growing
 * collection, or reads many more documents than it returns.
 */
const EVENTS = 50_000
/** Collections that grow with the number of submissions or waiting work; agents and counters do not. */
const GROWING = new Set(['executions', 'open', 'traces', 'steps', 'batches', 'cache', 'idempotency'])
/** Number of unused documents that a query may read without a sign of a missing index. */
const SPARE_DOCUMENTS = 10

/** The used fields of an entry of MongoDB's profiler. */
interface Profiled {
  ns: string
  op: string
  appName: string
  planSummary?: string
  docsExamined?: number
  keysExamined?: number
  nreturned?: number
  hasSortStage?: boolean
  originatingCommand?: { pipeline?: object[] }
}

interface Row {
  endpoint: string
  queries: number
  docsExamined: number
  keysExamined: number
  nReturned: number
  plans: string
  problem: string
}

const [given, events] = process.argv.slice(2)
const mongod = given === undefined ? await startMongod() : undefined
const service = await startReadService(given ?? mongod?.uri ?? '', Number(events ?? EVENTS))
try {
  const rows: Row[] = []
  for (const { name, path } of service.endpoints) {
    const { row, cursor } = await profiled(service, name, path(0))
    rows.push(row)
    if (cursor === null) continue
    const next = `${path(0)}${path(0).includes('?') ? '&' : '?'}cursor=${cursor}`
    rows.push((await profiled(service, `${name} (next page)`, next)).row)
  }
  console.table(rows)
  if (rows.some(({ problem }) => problem !== '')) process.exitCode = 1
} finally {
  await service.stop()
  await mongod?.stop()
}

/** Calls an endpoint once under the profiler. */
async function profiled({ store: { db }, api }: ReadService, endpoint: string, path: string) {
  await db.setProfilingLevel('off')
  await db.dropCollection('system.profile').catch(() => undefined)
  await db.setProfilingLevel('all')
  const response = await fetch(`${api.url}${path}`)
  const answer = (await response.json()) as { next_cursor?: string | null; detail?: string }
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.detail}`)
  // The last entry is written after the response.
  await sleep(50)
  await db.setProfilingLevel('off')
  const entries = await db.collection<Profiled>('system.profile').find({ appName: 'troupe-api' }).toArray()
  return { row: summary(endpoint, entries.filter(isRead)), cursor: answer.next_cursor ?? null }
}

function isRead({ op, ns, originatingCommand }: Profiled): boolean {
  const watches = originatingCommand?.pipeline?.some((stage) => '$changeStream' in stage) ?? false
  return ['query', 'getmore', 'command'].includes(op) && !ns.endsWith('.system.profile') && !watches
}

function summary(endpoint: string, entries: Profiled[]): Row {
  const sum = (field: 'docsExamined' | 'keysExamined' | 'nreturned'): number =>
    entries.reduce((total, entry) => total + (entry[field] ?? 0), 0)
  return {
    endpoint,
    queries: entries.length,
    docsExamined: sum('docsExamined'),
    keysExamined: sum('keysExamined'),
    nReturned: sum('nreturned'),
    plans: [...new Set(entries.map(planOf))].join('; '),
    problem: [...new Set(entries.map(problemOf))].filter((problem) => problem !== '').join('; '),
  }
}

function planOf({ op, ns, planSummary }: Profiled): string {
  return `${collectionOf(ns)}${op === 'getmore' ? ' (more)' : ''} ${planSummary ?? '–'}`
}

function problemOf(entry: Profiled): string {
  const { ns, planSummary = '', docsExamined = 0, nreturned = 0, hasSortStage = false } = entry
  if (!GROWING.has(collectionOf(ns))) return ''
  if (planSummary.includes('COLLSCAN')) return `scan of ${collectionOf(ns)}`
  if (hasSortStage) return `sort of ${collectionOf(ns)}`
  return docsExamined > 2 * nreturned + SPARE_DOCUMENTS ? `${docsExamined} documents read for ${nreturned}` : ''
}

function collectionOf(namespace: string): string {
  return namespace.slice(namespace.indexOf('.') + 1)
}
