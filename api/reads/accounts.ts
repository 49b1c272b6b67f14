import type { Limits } from '../../contracts/limits.ts'
import { CLASSES, CLASS_OF, type AccountLimits, type ByClass } from '../../core/provider-account.ts'
import type { AccountDocument } from '../../store/documents.ts'
import type { ExecutionKind } from '../../core/execution.ts'
import type { Store } from '../../store/mongodb/connect.ts'
import { RUNNING } from '../../store/open.ts'

type AccountView = Limits['accounts'][number]

const NONE: ByClass = { chat: 0, prompt: 0, task: 0 }

/** Reads the provider accounts: the configured ones and those that were called in the last days. */
export async function readAccounts(
  { accounts, open }: Store,
  configured: Readonly<Record<string, AccountLimits>>,
  now: Date,
): Promise<Limits> {
  const [known, parked] = await Promise.all([accounts.find().toArray(), waitingAtTemporal(open)])
  const unused = Object.keys(configured).filter((name) => !known.some(({ _id }) => _id === name))
  const views = [
    ...known.map((document) => accountView(document, parked.get(document._id) ?? [], now.getTime())),
    ...unused.map((name) => unusedView(name, configured[name])),
  ]
  views.sort((one, other) => one.account.localeCompare(other.account))
  return { accounts: views, timestamp: now.toISOString() }
}

/** Executions that wait durably in Temporal, by account; reads one index entry for each. */
async function waitingAtTemporal(open: Store['open']): Promise<Map<string, ByClass[]>> {
  const found = open.aggregate<{ _id: { account: string; kind: ExecutionKind }; count: number }>([
    { $match: { waits_for: { $gt: '' }, ...RUNNING } },
    { $group: { _id: { account: '$waits_for', kind: '$kind' }, count: { $sum: 1 } } },
  ])
  const groups = Map.groupBy(await found.toArray(), ({ _id }) => _id.account)
  return new Map(
    [...groups].map(([account, kinds]) => [
      account,
      kinds.map(({ _id, count }) => ({ ...NONE, [CLASS_OF[_id.kind]]: count })),
    ]),
  )
}

function accountView(
  { _id, configured, learned, adaptive, cooldown, workers }: AccountDocument,
  parked: ByClass[],
  now: number,
): AccountView {
  const live = Object.values(workers).filter(({ until }) => until > now)
  return {
    account: _id,
    configured: configuredView(configured ?? undefined),
    learned: { rpm: learned.rpm ?? null, tpm: learned.tpm ?? null },
    adaptive_concurrent: adaptive === null ? null : Math.floor(adaptive.now),
    in_use: live.reduce((sum, { in_use }) => sum + in_use, 0),
    waiting: sumOf([...live.map(({ waiting }) => waiting), ...parked]),
    workers: live.length,
    // An expired cool-down stays stored until the next successful call.
    cooldown:
      cooldown === null || cooldown.until <= now
        ? null
        : {
            since: new Date(cooldown.since).toISOString(),
            until: new Date(cooldown.until).toISOString(),
            code: cooldown.code,
          },
  }
}

function unusedView(account: string, configured: AccountLimits | undefined): AccountView {
  const nothing = { learned: { rpm: null, tpm: null }, adaptive_concurrent: null, in_use: 0, waiting: sumOf([]) }
  return { account, configured: configuredView(configured), ...nothing, workers: 0, cooldown: null }
}

function configuredView(limits: AccountLimits | undefined): AccountView['configured'] {
  if (limits === undefined) return null
  const { rpm = null, tpm = null, concurrent = null } = limits
  return { rpm, tpm, concurrent }
}

function sumOf(waiting: ByClass[]): ByClass {
  const sum = { ...NONE }
  for (const each of waiting) for (const name of CLASSES) sum[name] += each[name]
  return sum
}
