import { Link } from '@tanstack/react-router'
import { useLimits } from '../../api/queries.ts'
import { Cooldown } from './cooldown.tsx'

/** The accounts that are left alone at the moment: what asks them waits, and nobody would see why. */
export function CoolingDown() {
  const { data } = useLimits()
  const cooling = data?.accounts.filter(({ cooldown }) => cooldown !== null) ?? []
  if (cooling.length === 0) return null
  return (
    <ul className="note" aria-label="Accounts that cool down">
      {cooling.map(({ account, cooldown }) => (
        <li key={account}>
          <Link to="/limits">{account}</Link> {cooldown !== null && <Cooldown cooldown={cooldown} />}
        </li>
      ))}
    </ul>
  )
}
