import { useNavigate } from '@tanstack/react-router'
import type { LogBegin } from '../../live/log-store.ts'

const CHOICES: (LogBegin & { label: string })[] = [
  { label: 'the last 500 lines' },
  { label: 'the last 5,000 lines', tail: 5_000 },
  { label: '5 minutes ago', since: '5m' },
  { label: '1 hour ago', since: '1h' },
  { label: '6 hours ago', since: '6h' },
  { label: '1 day ago', since: '1d' },
]

/** Whether a log begins at a time of a date, such as that of an event, and not so long before now. */
export function isMoment({ since }: LogBegin): boolean {
  return since?.includes('-') === true
}

/** Where the log begins; an address may name any other duration, time or number of lines. */
export function LogBeginChoice({ tail, since }: LogBegin) {
  const navigate = useNavigate({ from: '/containers/$id' })
  const known = CHOICES.findIndex((choice) => choice.tail === tail && choice.since === since)
  const own = since === undefined ? `the last ${tail} lines` : since
  return (
    <label className="log-begin">
      From
      <select
        value={known}
        onChange={({ target }) => {
          const { tail, since } = CHOICES[Number(target.value)] ?? {}
          void navigate({ search: ({ find }) => ({ find, tail, since }), replace: true })
        }}
      >
        {known === -1 && <option value={-1}>{own}</option>}
        {CHOICES.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
