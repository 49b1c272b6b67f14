import { useAbout, useKeys } from '../../api/queries.ts'
import { forgetKey, session } from '../../api/session.ts'
import { useStore } from '../../live/store.ts'
import { Loaded, Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import type { Schema } from '../../../client/index.ts'
import { Retention } from './retention.tsx'

/** The key of this page, the keys of the service, and what becomes of what has ended. */
export function Service() {
  const keys = useKeys()
  const about = useAbout()
  return (
    <>
      <h1>Keys and deletion</h1>
      <div className="columns">
        <Panel title="Your key">
          <Loaded query={keys}>{({ own }) => <OwnKey own={own} />}</Loaded>
        </Panel>
        <Panel title="What is kept">
          <Loaded query={about}>{({ retention_days }) => <Retention days={retention_days} />}</Loaded>
        </Panel>
      </div>
      {keys.data?.keys?.length ? <AllKeys keys={keys.data.keys} /> : null}
    </>
  )
}

const MAY: Record<Schema<'KeyList'>['own']['role'], string> = {
  read: 'sees everything and changes nothing',
  submit: 'sees everything, submits and cancels',
  admin: 'sees everything, submits, cancels and deletes',
}

function OwnKey({ own: { name, role, agents } }: { own: Schema<'KeyList'>['own'] }) {
  const { key } = useStore(session)
  if (name === null) {
    return (
      <p>
        This service asks for no key: whoever reaches it may do everything. <code>SERVICE_API_KEY</code> or{' '}
        <code>API_KEYS_FILE</code> closes it.
      </p>
    )
  }
  return (
    <div className="stack">
      <p>
        <strong>{name}</strong> has the role <strong>{role}</strong>: it {MAY[role]}
        {agents === null ? '.' : `; it submits only to ${agents.join(', ') || 'no agent'}.`}
      </p>
      {key !== undefined && (
        <p>
          <button type="button" onClick={forgetKey}>
            Forget the key on this device
          </button>
        </p>
      )}
    </div>
  )
}

function AllKeys({ keys }: { keys: NonNullable<Schema<'KeyList'>['keys']> }) {
  return (
    <Panel title="All keys">
      <Table label="Table of keys" heads={['Name', 'Role', 'Agents', { label: 'Weight', is: 'right' }]}>
        <tbody>
          {keys.map(({ name, role, agents, weight }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{role}</td>
              <td>{agents === null ? 'all' : agents.join(', ')}</td>
              <td className="right">{weight}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="dim">
        Keys are given to the service when it starts, and read again from <code>API_KEYS_FILE</code> on SIGHUP. What
        they are is shown nowhere.
      </p>
    </Panel>
  )
}
