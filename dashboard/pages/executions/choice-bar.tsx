import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMaySubmit, useRole, type JobListItem } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { downloadText } from '../../parts/download.ts'
import { forEach } from '../../parts/for-each.ts'
import { formatCount } from '../../parts/format.ts'
import { notify } from '../../shell/toasts.tsx'

interface ChoiceBarProps {
  chosen: JobListItem[]
  /** What stays chosen: that for which something failed. */
  onChosen: (ids: string[]) => void
  /** What chooses more. */
  children?: ReactNode
}

/** What can be done with the executions that were chosen. */
export function ChoiceBar({ chosen, onChosen, children }: ChoiceBarProps) {
  const navigate = useNavigate()
  const role = useRole()
  const maySubmit = useMaySubmit()
  const [a, b] = chosen
  const running = idsOf(chosen.filter(({ completed_at }) => completed_at === null))
  const ended = idsOf(chosen.filter(({ completed_at }) => completed_at !== null))
  const deletable = idsOf(chosen.filter(({ completed_at, kind }) => completed_at !== null && kind !== 'task'))
  const doAll = useDoAll(onChosen)
  if (a === undefined) return null
  return (
    <div className="choice" role="group" data-actions aria-label="What was chosen">
      <span className="number">{formatCount(chosen.length)} chosen</span>
      {children}
      {b !== undefined && chosen.length === 2 && (
        <button type="button" onClick={() => void navigate({ to: '/compare', search: { a: a.job_id, b: b.job_id } })}>
          Compare
        </button>
      )}
      <button type="button" onClick={() => void save(idsOf(chosen))}>
        Save (JSONL)
      </button>
      {ended.length > 0 && maySubmit && (
        <ConfirmButton
          label="Replay"
          title={`Run ${count(ended)} again?`}
          action={`Replay ${count(ended)}`}
          run={() => doAll('run again', ended, replay)}
          harmless
        >
          Each becomes a new execution with the same inputs.{leftText(chosen.length - ended.length, 'still running')}
        </ConfirmButton>
      )}
      {running.length > 0 && maySubmit && (
        <ConfirmButton
          label="Cancel"
          title={`Cancel ${count(running)}?`}
          action={`Cancel ${count(running)}`}
          run={() => doAll('canceled', running, (id) => troupe().prompts.cancel(id))}
        >
          They end at once and for good.{leftText(chosen.length - running.length, 'ended before')}
        </ConfirmButton>
      )}
      {deletable.length > 0 && role === 'admin' && (
        <ConfirmButton
          label="Delete"
          title={`Delete ${count(deletable)}?`}
          action={`Delete ${count(deletable)}`}
          run={() => doAll('deleted', deletable, remove)}
        >
          Their traces, steps and stored objects go with them. This cannot be taken back.
          {leftText(chosen.length - deletable.length, 'still running, or deleted with their batch only')}
        </ConfirmButton>
      )}
      <button type="button" className="quiet" onClick={() => onChosen([])}>
        Clear
      </button>
    </div>
  )
}

function useDoAll(onChosen: (ids: string[]) => void) {
  const client = useQueryClient()
  return async (done: string, ids: string[], work: (id: string) => Promise<unknown>): Promise<string> => {
    const { failed, reason } = await forEach(ids, work)
    onChosen(failed)
    await client.invalidateQueries({ queryKey: ['head'] })
    await client.invalidateQueries({ queryKey: ['list'] })
    const good = `${formatCount(ids.length - failed.length)} ${done}.`
    return failed.length === 0 ? good : `${good} ${formatCount(failed.length)} stay chosen: ${reason}`
  }
}

function replay(id: string): Promise<unknown> {
  const body = { reexecute: true, wait: false } as const
  return troupe().jobs.replay(id, body)
}

function remove(id: string): Promise<unknown> {
  return troupe().request('delete', '/api/jobs/{job_id}', { path: { job_id: id } })
}

/** Whole, one a line: what is in the object store comes in full. */
async function save(ids: string[]): Promise<void> {
  const lines = new Map<string, string>()
  const { failed, reason } = await forEach(ids, async (id) => {
    lines.set(id, `${JSON.stringify(await troupe().jobs.get(id))}\n`)
  })
  if (failed.length > 0) return notify(`${formatCount(failed.length)} could not be read: ${reason}`)
  downloadText(
    ids.map((id) => lines.get(id) ?? ''),
    'executions.jsonl',
    'application/x-ndjson',
  )
}

function idsOf(jobs: JobListItem[]): string[] {
  return jobs.map(({ job_id }) => job_id)
}

/** How many of the chosen stay as they are, and why: said before, instead of refused after. */
function leftText(left: number, why: string): string {
  return left === 0 ? '' : ` ${formatCount(left)} of the chosen ${left === 1 ? 'is' : 'are'} left out: ${why}.`
}

function count(ids: string[]): string {
  return `${formatCount(ids.length)} ${ids.length === 1 ? 'execution' : 'executions'}`
}
