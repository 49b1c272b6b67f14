import { accountOf, type Limits } from '../../limits.ts'
import { Account } from './account.ts'
import type { AccountOptions } from './calls.ts'

/** The provider accounts that this worker calls. */
export interface Accounts {
  /** The account to which a model's calls count. */
  of: (model: { provider: string; model: string }) => Account
  /** The used accounts, by name. */
  all: () => ReadonlyMap<string, Account>
  /** Releases everything that this worker holds. */
  stop: () => Promise<void>
}

/** Creates the accounts of a worker. Each account is read for the first time when one of its models is called. */
export function createAccounts({
  limits,
  ...options
}: Omit<AccountOptions, 'account' | 'limits'> & { limits: Limits }) {
  const accounts = new Map<string, Account>()
  return {
    of(model) {
      const name = accountOf(model, limits)
      const known = accounts.get(name)
      if (known !== undefined) return known
      const account = new Account({ ...options, account: name, limits: limits[name] })
      accounts.set(name, account)
      return account
    },
    all: () => accounts,
    stop: async () => void (await Promise.all([...accounts.values()].map((account) => account.stop()))),
  } satisfies Accounts as Accounts
}
