import type { Limits } from '../../contracts/limits.ts'
import { CLASSES, type AccountLimits, type ByClass } from '../../core/provider-account.ts'
import type { AccountDocument } from '../../store/documents.ts'
import type { Store } from '../../store/connect.ts'

type AccountView = Limits['accounts'][number]

/** The accounts that are configured, and those that were called in the last days. */
export async function readAccounts(
  { accounts }: Store,
  configured: Readonly<Record<string, AccountLimits>>,
  now: Date,
): Promise<Limits> {
  const known = await accounts.find().toArray()
  const unused = Object.keys(configured).filter((name) => !known.some(({ _id }) => _id === name))
  const views = [
    ...known.map((document) => accountView(document, now.getTime())),
    ...unused.map((name) => unusedView(name, configured[name])),
  ]
  views.sort((one, other) => one.account.localeCompare(other.account))
  return { accounts: views, timestamp: now.toISOString() }
}

function accountView(
  { _id, configured, learned, adaptive, cooldown, workers }: AccountDocument,
  now: number,
): AccountView {
  const live = Object.values(workers).filter(({ until }) => until > now)
  return {
    account: _id,
    configured: configuredView(configured ?? undefined),
    learned: { rpm: learned.rpm ?? null, tpm: learned.tpm ?? null },
    adaptive_concurrent: adaptive === null ? null : Math.floor(adaptive.now),
    in_use: live.reduce((sum, { in_use }) => sum + in_use, 0),
    waiting: sumOf(live.map(({ waiting }) => waiting)),
    workers: live.length,
    // One whose time is over is ended by the next call that is served.
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
  const sum = { chat: 0, prompt: 0, task: 0 }
  for (const each of waiting) for (const name of CLASSES) sum[name] += each[name]
  return sum
}
