import { Gauge } from 'prom-client'
import type { Accounts } from '../activities/limits/accounts.ts'
import { CLASSES } from '../core/provider-account.ts'
import { boundedLabel } from './bounded-label.ts'

const MAX_ACCOUNTS = 100
const labelOf = boundedLabel(MAX_ACCOUNTS)

/** Wraps the accounts; each metrics scrape reads this worker's use of them. */
export function observeAccounts(accounts: Accounts): Accounts {
  const gauge = (name: string, help: string, set: (gauge: Gauge, account: string, figures: Figures) => void) =>
    new Gauge({
      name,
      help,
      labelNames: ['account', 'class'],
      collect() {
        this.reset()
        for (const [account, { figures }] of accounts.all()) set(this, labelOf(account), figures)
      },
    })
  gauge('troupe_account_calls', "Calls of this worker that count for a provider's account.", (each, account, figures) =>
    each.set({ account }, figures.inUse),
  )
  gauge('troupe_account_waiting', 'Calls that wait for their turn in this worker.', (each, account, { waiting }) => {
    for (const name of CLASSES) each.set({ account, class: name }, waiting[name])
  })
  gauge(
    'troupe_account_cooling',
    'Whether nobody calls the account (1), because its provider pushed back.',
    (each, account, figures) => each.set({ account }, figures.isCooling ? 1 : 0),
  )
  return accounts
}

type Figures = ReturnType<Accounts['of']>['figures']
