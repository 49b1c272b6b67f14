import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '../../core/json.ts'
import { codeStep, stepKey } from '../../core/step-path.ts'
import type { Clients } from './clients.ts'
import type { Entry } from './journal.ts'
import type { Observed } from './observer.ts'
import type { Topology } from './topology.ts'

interface Begin {
  path: string
  /** Who began it; undefined for what the provider was asked. */
  process: string | undefined
  /** Of the monotonic clock, in milliseconds. */
  at: number
}

export interface EffectsReport {
  violations: string[]
  begun: number
  /** Steps that were begun again before they were recorded: each time an attempt was lost. */
  again: number
  /** Steps that were begun after they had been recorded, by a process that was frozen or cut off at the time. */
  unaware: number
}

/** What a frozen or cut-off process may still begin when it comes to itself. */
const UNAWARE_MS = 15_000

/**
 * Compares what agents did, as the world counted it, with what was recorded: a recorded step is not done again, and one that
 * is not recorded once at most by each process that was neither stopped nor cut off.
 */
export async function checkEffects(
  topology: Topology,
  clients: Pick<Clients, 'subjects'>,
  observed: Observed,
  entries: Entry[],
): Promise<EffectsReport> {
  const report: EffectsReport = { violations: [], begun: 0, again: 0, unaware: 0 }
  const jobs = new Map<string, string>()
  for (const { id, kind, work, tasks } of clients.subjects) {
    for (const [index, { marker }] of work.entries()) jobs.set(marker, kind === 'batch' ? (tasks[index] ?? '') : id)
  }
  const replayed = new Set(entries.flatMap(({ what }) => /^POST \/api\/jobs\/([^/]+)\/replay$/.exec(what)?.[1] ?? []))
  const begins = new Map<string, Begin[]>()
  for (const file of await readdir(topology.effects)) {
    const marker = file.slice(0, -'.effects'.length)
    const job = jobs.get(marker)
    // What runs twice under one marker cannot be told apart.
    if (job === undefined || replayed.has(job)) continue
    for (const line of (await readFile(join(topology.effects, file), 'utf8')).trimEnd().split('\n')) {
      const { path, ...begin } = parseEffect(marker, line)
      const key = stepKey(job, path)
      begins.set(key, [...(begins.get(key) ?? []), { path, ...begin }])
    }
  }
  for (const begin of askedProvider(topology, jobs)) {
    if (replayed.has(begin.job)) continue
    const key = stepKey(begin.job, begin.path)
    begins.set(key, [...(begins.get(key) ?? []), begin])
  }
  for (const [key, list] of begins) judge(key, list, { report, observed, topology, entries })
  return report
}

function judge(
  key: string,
  begins: Begin[],
  {
    report,
    observed,
    topology,
    entries,
  }: { report: EffectsReport; observed: Observed; topology: Topology; entries: Entry[] },
): void {
  const recordedAt = observed.steps.get(key) ?? Infinity
  report.begun += 1
  report.again += begins.length - 1
  const nameOf = (process: string | undefined) => (process === undefined ? undefined : topology.nameOf(process))
  for (const { at, process } of begins) {
    if (at <= recordedAt) continue
    if (wasUnaware(nameOf(process), at, entries)) report.unaware += 1
    else
      report.violations.push(
        `${key} was begun again ${Math.round(at - recordedAt)} ms after it was recorded, by ${nameOf(process)} (${process})`,
      )
  }
  // One that was stopped or cut off lost its attempt, and may have been given the run again by the one that took it.
  const aware = begins.filter(({ at, process }) => !wasUnaware(nameOf(process), at, entries))
  const processes = new Set(aware.map(({ process }) => process))
  if (processes.size < aware.length && !processes.has(undefined)) {
    const times = begins.map(({ at, process }) => `${nameOf(process)}:${process}@${Math.round(at)}`).join(' ')
    report.violations.push(`${key} was begun twice by one process: ${times}; recorded @${Math.round(recordedAt)}`)
  }
}

function wasUnaware(name: string | undefined, at: number, entries: Entry[]): boolean {
  if (name === undefined) return false
  return entries.some(({ who, from, to, targets }) => {
    if (who !== 'chaos' || at < from || at > to + UNAWARE_MS) return false
    return (targets as string[]).some((target) => [name, `${name}-mongod`].includes(target) || /^mongo/.test(target))
  })
}

function parseEffect(marker: string, line: string): Begin {
  const words = line.split(' ')
  const at = Number(BigInt(words.at(-1) as string) / 1_000n) / 1_000
  const name = words.slice(0, -2)
  return {
    path: name.length === 1 ? (name[0] as string) : codePath(marker, name as [string, string]),
    process: words.at(-2),
    at,
  }
}

/** What code did in a step, or in an agent that it called, by the identity that the service gives it. */
function codePath(marker: string, [kind, subject]: [string, string]): string {
  const identity = kind === 'step' ? [subject] : ['teller', { marker, say: subject }]
  const hash = createHash('sha256').update(canonicalJson(identity)).digest('hex').slice(0, 16)
  return codeStep('0', kind === 'step' ? 's' : 'k', hash, 0)
}

/** Requests that reached the model's provider; they name no process. */
function askedProvider({ provider }: Topology, jobs: Map<string, string>): (Begin & { job: string })[] {
  const offset = Number(process.hrtime.bigint() / 1_000n) / 1_000 - Date.now()
  return provider.requests.flatMap(({ body, at }) => {
    const marker = String(body.messages.find(({ role }) => role === 'user')?.content)
    const job = jobs.get(marker)
    const round = body.messages.filter(({ role }) => role === 'tool').length
    return job === undefined
      ? []
      : [{ job, path: `0.m${String(round).padStart(5, '0')}`, process: undefined, at: at.getTime() + offset }]
  })
}
