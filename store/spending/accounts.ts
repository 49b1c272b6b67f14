import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { TroupeError } from '../../core/errors.ts'
import { unusedAccount, type AccountLimits, type AccountState } from '../../core/provider-account.ts'
import type { Store } from '../mongodb/connect.ts'
import type { AccountDocument } from '../documents.ts'
import { isDuplicateKey } from '../mongodb/duplicate-key.ts'

/** The result of a decision about an account: the new account state, and the result for the caller. */
export interface AccountDecision<Result> {
  state: AccountState
  result: Result
}

const MAX_TRIES = 30
const CONFLICT_PAUSE_MS = 4
/**
 * A failover may forget a share, so that it is given twice for some seconds. That is no reason to wait for other nodes.
 */
const FAST = { writeConcern: { w: 1, journal: false } } as const

/**
 * Changes an account by a decision about what it is. A reading and a conditional write, made anew when another worker was
 * faster; a decision that changes nothing writes nothing.
 * @param decide - gets the account, and the time by MongoDB's clock in ms.
 * @returns the decision's result, the account after it, and the time.
 * @throws TroupeError unavailable when others were faster for too long
 */
export async function changeAccount<Result>(
  { accounts }: Pick<Store, 'accounts'>,
  account: string,
  configured: AccountLimits | undefined,
  decide: (state: AccountState, now: number) => AccountDecision<Result>,
): Promise<{ result: Result; state: AccountState; now: number }> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const projection = { _id: 0, document: '$$ROOT', now: '$$NOW' }
    const found = await accounts.findOne<{ document: AccountDocument; now: Date }>({ _id: account }, { projection })
    if (found === null) {
      await create(accounts, account)
      continue
    }
    const { _id, v, at: _at, configured: before, ...known } = found.document
    const now = found.now.getTime()
    const { state, result } = decide(known, now)
    const isSame = isDeepStrictEqual([state, configured ?? null], [known, before])
    if (isSame) return { result, state, now }
    const changed = { ...state, v: v + 1, configured: configured ?? null, at: found.now }
    const { matchedCount } = await accounts.replaceOne({ _id, v }, changed, FAST)
    if (matchedCount === 1) return { result, state, now }
    await sleep(Math.random() * CONFLICT_PAUSE_MS * (tries + 1))
  }
  throw new TroupeError('unavailable', `Account "${account}" is changed by too many workers at once.`)
}

async function create(accounts: Store['accounts'], account: string): Promise<void> {
  const blank = { ...unusedAccount(), v: 0, configured: null, at: new Date() }
  await accounts.updateOne({ _id: account }, { $setOnInsert: blank }, { ...FAST, upsert: true }).catch((error) => {
    // Another worker was faster.
    if (!isDuplicateKey(error)) throw error
  })
}
