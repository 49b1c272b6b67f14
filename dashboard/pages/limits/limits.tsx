import type { Schema } from '../../../client/index.ts'
import { useLimits } from '../../api/queries.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { Cooldown } from './cooldown.tsx'

type Account = Schema<'Account'>

/** What the providers' accounts may do, what of it is in use, and what waits. */
export function LimitsPage() {
  const query = useLimits()
  return (
    <>
      <h1>Limits of providers</h1>
      <Panel title="Accounts">
        <Loaded query={query} lines={4}>
          {({ accounts }) =>
            accounts.length === 0 ? (
              <Empty title="No account is limited, and none was called yet.">
                <code>LIMITS</code> says what an account may do; what a provider’s headers say is learned.
              </Empty>
            ) : (
              <Accounts accounts={accounts} />
            )
          }
        </Loaded>
      </Panel>
      <p className="dim">
        Calls take turns at their account, for all workers: chats first, then prompts, then tasks. What waits has not
        failed, and holds nothing of a budget. Limits in brackets were learned from the provider’s answers.
      </p>
    </>
  )
}

function Accounts({ accounts }: { accounts: Account[] }) {
  const right = (label: string) => ({ label, is: 'right' as const })
  const heads = [
    'Account',
    right('In use'),
    'Waiting',
    right('Requests a minute'),
    right('Tokens a minute'),
    { label: 'Workers', is: 'right spare' as const },
  ]
  return (
    <Table label="Limits by account" heads={heads}>
      {accounts.map((account) => {
        const { account: name, configured, learned, workers, cooldown } = account
        return (
          <tbody key={name} data-account={name}>
            <tr>
              <th scope="row" className="account">
                {name}
                {cooldown === null && <State account={account} />}
              </th>
              <td className="right">{inUse(account)}</td>
              <td>{waitingText(account)}</td>
              <td className="right">{limitText(configured?.rpm, learned.rpm)}</td>
              <td className="right">{limitText(configured?.tpm, learned.tpm)}</td>
              <td className="right spare">{formatCount(workers)}</td>
            </tr>
            {cooldown !== null && (
              <tr className="row-more">
                <td colSpan={heads.length}>
                  <Cooldown cooldown={cooldown} />
                </td>
              </tr>
            )}
          </tbody>
        )
      })}
    </Table>
  )
}

/** Whether calls are begun as usual. */
function State({ account: { adaptive_concurrent } }: { account: Account }) {
  return <p className="dim">{adaptive_concurrent === null ? 'open' : 'fewer at a time, since it has pushed back'}</p>
}

/** What holds of two limits: the configured one, and in brackets what was learned where that is less or all there is. */
function limitText(configured: number | null | undefined, learned: number | null): string {
  const told = learned === null || learned >= (configured ?? Infinity) ? '' : `(${formatCount(learned)})`
  return [configured == null ? '' : formatCount(configured), told].filter(Boolean).join(' ') || '–'
}

function inUse({ in_use, configured, adaptive_concurrent }: Account): string {
  const most = limitText(configured?.concurrent, adaptive_concurrent)
  return most === '–' ? formatCount(in_use) : `${formatCount(in_use)} of ${most}`
}

function waitingText({ waiting }: Account): string {
  const names = [
    ['chat', 'chats'],
    ['prompt', 'prompts'],
    ['task', 'tasks'],
  ] as const
  const parts = names.flatMap(([name, many]) => {
    const count = waiting[name]
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? name : many}`]
  })
  return parts.join(', ') || '–'
}
