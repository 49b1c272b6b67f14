import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { troupe } from '../../api/session.ts'
import { Loaded } from '../../parts/panel.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'

const READ = 12
const SHOWN_CHARACTERS = 80

/** Leads to what an agent was given lately: the same inputs, to be changed and run again. */
export function EarlierInputs({ agent }: { agent: string }) {
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({
    queryKey: ['earlier-inputs', agent],
    queryFn: ({ signal }) => readEarlier(agent, signal),
    enabled: isOpen,
  })
  return (
    <details className="menu menu-left" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Earlier inputs</summary>
      <div className="menu-body menu-long">
        {isOpen && (
          <Loaded query={query}>
            {(runs) =>
              runs.length === 0 ? (
                <p className="dim">{agent} has not run yet.</p>
              ) : (
                runs.map(({ id, text, status, created_at }) => (
                  <Link key={id} to="/playground" search={{ from: id }} className="earlier">
                    <code>{text}</code>
                    <span className="dim">
                      <Status status={status} /> <Ago at={created_at} />
                    </span>
                  </Link>
                ))
              )
            }
          </Loaded>
        )}
      </div>
    </details>
  )
}

/** The latest runs of an agent, those with the same inputs once. */
async function readEarlier(agent: string, signal: AbortSignal) {
  const { jobs } = await troupe().request('get', '/api/jobs', { query: { agent, limit: READ }, signal })
  const runs = await Promise.all(
    jobs.map(async ({ job_id: id, status, created_at }) => {
      const { inputs } = await troupe().request('get', '/api/jobs/{job_id}', { path: { job_id: id }, signal })
      const text = JSON.stringify(inputs)
      const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
      return { id, status, created_at, whole: text, text: shown }
    }),
  )
  return [...new Map(runs.toReversed().map((run) => [run.whole, run])).values()].toReversed()
}
