import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type FormEvent } from 'react'
import { TroupeError } from '../../client/index.ts'
import { troupe } from '../api/session.ts'
import { notify } from './toasts.tsx'

const MIN_PREFIX = 4

/** Leads from an id, or its beginning, to what it names. */
export function SearchBox() {
  const [text, setText] = useState('')
  const id = useId()
  const navigate = useNavigate()
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === '') return
    const place = await find(wanted)
    if (place === undefined) return notify(`Nothing here is called “${wanted.slice(0, 60)}”.`)
    setText('')
    if (place.kind === 'batch') await navigate({ to: '/batches/$id', params: { id: place.id } })
    else await navigate({ to: '/executions/$id', params: { id: place.id } })
  }
  return (
    <form role="search" className="search" onSubmit={(event) => void submit(event)}>
      <label className="visually-hidden" htmlFor={id}>
        Id of an execution or batch
      </label>
      <input
        id={id}
        data-search
        type="search"
        placeholder="Go to an id …"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}

async function find(wanted: string): Promise<{ kind: 'execution' | 'batch'; id: string } | undefined> {
  if (/^[0-9a-f-]+$/i.test(wanted) && wanted.length >= MIN_PREFIX) {
    const { jobs } = await troupe().request('get', '/api/jobs', { query: { id_prefix: wanted.slice(0, 36), limit: 1 } })
    if (jobs[0] !== undefined) return { kind: 'execution', id: jobs[0].job_id }
  }
  try {
    await troupe().request('get', '/api/batches/{batch_id}/tasks', { path: { batch_id: wanted }, query: { limit: 1 } })
    return { kind: 'batch', id: wanted }
  } catch (error) {
    if (error instanceof TroupeError) return undefined
    throw error
  }
}
