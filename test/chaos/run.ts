import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Say } from '../../dev/say.ts'
import { keyHeader } from '../../dev/service-processes.ts'
import { checkEffects } from './check-effects.ts'
import { checkObjects, checkStored, checkTemporal, storeOf, waitForRest } from './check-stored.ts'
import { checkStreams, checkTraces } from './check-streams.ts'
import { poll, startClients, type Clients } from './clients.ts'
import { startFaults } from './faults.ts'
import { call, type Caller } from './http.ts'
import { Journal } from './journal.ts'
import { startObserver, type Observed } from './observer.ts'
import { Random } from './random.ts'
import type { Topology } from './topology.ts'

export interface ChaosOptions {
  /** An empty folder: the journal, the logs and, after violations, the stored documents are left in it. */
  folder: string
  seed: number
  minutes: number
  say: Say
  clients?: number
  lanes?: number
  longestMs?: number
}

export interface ChaosReport {
  violations: string[]
  /** What happened, for people. */
  seen: Record<string, number>
}

/** How long accepted work may take once everything is whole again. */
const REST_MS = 240_000
const STREAMS_MS = 60_000
const PROGRESS_MS = 30_000

/**
 * Random load under random faults, then a comparison of what clients were told with what is stored.
 * @param topology - is stopped in the end.
 */
export async function runChaos(topology: Topology, options: ChaosOptions): Promise<ChaosReport> {
  const { folder, seed, minutes, say, clients: count = 5, lanes = 3, longestMs = 60_000 } = options
  const journal = new Journal(join(folder, 'journal.jsonl'))
  const store = storeOf(topology)
  try {
    const observer = await startObserver(store)
    const clients = startClients({
      urls: topology.urls,
      headers: keyHeader(topology.env),
      journal,
      seed,
      clients: count,
    })
    const faults = startFaults({ topology, journal, seed, lanes, longestMs })
    for (let left = minutes * 60_000; left > 0; left -= PROGRESS_MS) {
      await sleep(Math.min(left, PROGRESS_MS))
      const made = journal.entries.filter(({ who }) => who === 'chaos').length
      say(
        `${journal.entries.length} entries, ${clients.subjects.length} accepted, ${made} faults, ${clients.violations.length + observer.violations.length} violations`,
      )
    }
    await faults.end()
    const wholeSince = new Date()
    say('everything is whole again; waiting until all that was accepted has come to rest')
    await clients.end()
    const violations = await waitForRest(store, REST_MS)
    await clients.streams(STREAMS_MS)
    violations.push(...(await pollAll(topology, clients, journal, seed)))
    violations.push(...(await checkTotals(topology, store, observer, journal, seed)))
    violations.push(...(await checkTemporal(topology)))
    violations.push(...(await checkCursors(store, wholeSince)))
    await observer.end()
    await topology.endService()
    const { entries } = journal
    const effects = await checkEffects(topology, clients, observer, entries)
    violations.push(...clients.violations, ...observer.violations, ...effects.violations)
    violations.push(...(await checkStored(store, { topology, clients, observed: observer, entries })))
    violations.push(...checkStreams(entries, clients, observer), ...(await checkTraces(store)))
    violations.push(...checkAnswers(journal))
    if (violations.length > 0) await dump(store, folder, violations)
    const objects = await checkObjects(store, topology)
    violations.push(...objects.violations)
    if (objects.violations.length > 0) await dump(store, folder, violations)
    return { violations, seen: summary(journal, clients, observer, { ...effects, ...objects }) }
  } finally {
    await store.close()
    await topology.stop()
    await journal.close()
  }
}

/** Every subject once more, and all that clients were told about it before. */
async function pollAll({ env, direct }: Topology, clients: Clients, journal: Journal, seed: number): Promise<string[]> {
  const random = new Random(seed, 'checker')
  const caller: Caller = { who: 'checker', urls: direct, headers: keyHeader(env), random, journal }
  const violations: string[] = []
  for (const subject of clients.subjects) {
    const { status, body } = await poll(caller, subject)
    if (status === (subject.deleted ? 404 : 200)) continue
    // A deletion whose response was lost may not have been made.
    if (!subject.deleted || status !== 200) violations.push(`${subject.id} gave ${status} ${body?.detail}`)
    else subject.deleted = false
  }
  violations.push(...clients.subjects.flatMap(({ told }) => told.violations))
  return violations
}

/** The numbers of /api/metrics against the executions themselves, and those that were deleted: totals count them, too. */
async function checkTotals(
  { env, direct }: Topology,
  store: ReturnType<typeof storeOf>,
  { deletions }: Observed,
  journal: Journal,
  seed: number,
): Promise<string[]> {
  const { body } = await call(
    { who: 'checker', urls: direct, headers: keyHeader(env), random: new Random(seed, 'totals'), journal },
    'GET',
    '/api/metrics',
  )
  const left = await store.executions.countDocuments()
  const isRight = body.total_jobs === left + deletions
  return isRight
    ? []
    : [`/api/metrics counts ${body.total_jobs} executions, there are ${left}, ${deletions} were deleted`]
}

/** Cursors that were made when everything was whole, and that nobody reads from any more: those of the dead end by themselves. */
async function checkCursors(store: ReturnType<typeof storeOf>, wholeSince: Date): Promise<string[]> {
  const idle = [{ $currentOp: { idleCursors: true, allUsers: true } }, { $match: { type: 'idleCursor' } }]
  const left = await store.client
    .db('admin')
    .aggregate<{ cursor: { createdDate: Date; lastAccessDate: Date } }>(idle)
    .toArray()
  const leaked = left.filter(
    ({ cursor }) => cursor.createdDate > wholeSince && Date.now() - cursor.lastAccessDate.getTime() > 30_000,
  )
  return leaked.map((cursor) => `a cursor is left open: ${JSON.stringify(cursor).slice(0, 500)}`)
}

/** Responses that nobody may get, whatever is broken. */
function checkAnswers({ entries }: Journal): string[] {
  return entries.flatMap(({ who, what, status, detail }) => {
    const isWrong = status === 500 || (typeof status === 'number' && status >= 400 && typeof detail !== 'string')
    return isWrong ? [`${who}: ${what} gave ${String(status)} ${String(detail)}`] : []
  })
}

/** Keeps what is stored, so that a violation can be looked into. */
async function dump(store: ReturnType<typeof storeOf>, folder: string, violations: string[]): Promise<void> {
  await writeFile(join(folder, 'violations.txt'), `${violations.join('\n')}\n`)
  for (const name of ['executions', 'batches', 'steps', 'traces'] as const) {
    const lines: string[] = []
    for await (const document of store.db.collection(name).find()) lines.push(JSON.stringify(document))
    await writeFile(join(folder, `${name}.jsonl`), lines.join('\n'))
  }
}

function summary(
  { entries }: Journal,
  { subjects, unsure }: Clients,
  { steps, traces }: { steps: Map<string, number>; traces: unknown[] },
  {
    begun,
    again,
    unaware,
    objects,
    orphans,
  }: { begun: number; again: number; unaware: number; objects: number; orphans: number },
): Record<string, number> {
  const count = (test: (entry: (typeof entries)[number]) => boolean) => entries.filter(test).length
  const faults = Object.groupBy(
    entries.filter(({ who }) => who === 'chaos'),
    ({ what }) => what,
  )
  return {
    requests: count(({ status }) => status !== undefined),
    'responses 200': count(({ status }) => status === 200),
    'responses 503': count(({ status }) => status === 503),
    'requests without response': count(({ status }) => status === 0),
    accepted: subjects.length,
    tasks: subjects.reduce((sum, { tasks }) => sum + tasks.length, 0),
    'fate unknown to the client': unsure.length,
    streams: count(({ what }) => what === 'stream'),
    'steps recorded': steps.size,
    'trace events': traces.length,
    'steps begun': begun,
    'begun again before they were recorded': again,
    'begun after they were recorded, by a frozen or cut-off process': unaware,
    objects,
    'orphans collected': orphans,
    ...Object.fromEntries(Object.entries(faults).map(([name, made = []]) => [`fault: ${name}`, made.length])),
  }
}
