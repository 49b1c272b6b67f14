import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { inputsCsv, nameAlikeErrors, type Schema } from '../../../client/index.ts'
import { useMaySubmit } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { downloadText } from '../../parts/download.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Loaded } from '../../parts/panel.tsx'
import { notify } from '../../shell/toasts.tsx'
import { retryId } from './retries.ts'

const READ = 1_000
const SHOWN = 5

type Task = Schema<'BatchTask'>

interface FailureGroupsProps {
  batchId: string
  /** How many have failed. */
  failed: number
  /** Whether more may. */
  running: boolean
}

/** The failed tasks of a batch, those with the same error together. */
export function FailureGroups({ batchId, failed, running }: FailureGroupsProps) {
  const maySubmit = useMaySubmit()
  const query = useQuery({
    queryKey: ['batch-failures', batchId, failed],
    queryFn: ({ signal }) =>
      troupe().request('get', '/api/batches/{batch_id}/tasks', {
        path: { batch_id: batchId },
        query: { state: 'failed', limit: READ },
        signal,
      }),
    placeholderData: (before) => before,
  })
  return (
    <Loaded query={query}>
      {({ tasks, next_cursor }) =>
        tasks.length === 0 ? (
          <Empty title={running ? 'No task has failed so far.' : 'No task has failed.'} />
        ) : (
          <>
            <div className="group-head">
              {maySubmit && <RetryButton batchId={batchId} tasks={tasks} count={failed} />}
              <InputsButton batchId={batchId} />
              {next_cursor !== null && (
                <p className="dim">
                  Grouped: the first {formatCount(READ)} of {formatCount(failed)} failures.
                </p>
              )}
            </div>
            {groupsOf(tasks).map(([error, group]) => (
              <FailureGroup key={error} error={error} tasks={group}>
                {maySubmit && group.length < tasks.length && (
                  <RetryButton batchId={batchId} tasks={group} count={group.length} only />
                )}
              </FailureGroup>
            ))}
          </>
        )
      }
    </Loaded>
  )
}

function groupsOf(tasks: Task[]): [string, Task[]][] {
  const names = nameAlikeErrors(tasks.map(({ error }) => error))
  const groups = Map.groupBy(tasks, ({ error }) => names.get(error) ?? '')
  return [...groups].sort(([, one], [, other]) => other.length - one.length)
}

interface FailureGroupProps {
  error: string
  tasks: Task[]
  /** What can be done with them. */
  children: ReactNode
}

function FailureGroup({ error, tasks, children }: FailureGroupProps) {
  return (
    <section className="failure-group" aria-label={error}>
      <p>
        <span className="count-badge number">{formatCount(tasks.length)}</span>{' '}
        <span className="error-text">{error}</span>
      </p>
      <p className="task-links">
        {tasks.slice(0, SHOWN).map(({ task_id, index }) => (
          <Link key={task_id} to="/executions/$id" params={{ id: task_id }} search={{ errors: true }}>
            #{formatCount(index + 1)}
          </Link>
        ))}
        {tasks.length > SHOWN && <span className="dim">and {formatCount(tasks.length - SHOWN)} more</span>}
        {children}
      </p>
    </section>
  )
}

/** What the failed tasks of a batch were given. @param only - ids of those that are wanted; undefined: all */
async function failedInputs(batchId: string, only?: ReadonlySet<string>): Promise<Record<string, unknown>[]> {
  const inputs: Record<string, unknown>[] = []
  for await (const task of troupe().batches.results(batchId, { status: 'error' })) {
    if (only === undefined || only.has(task.task_id)) inputs.push(task.inputs)
  }
  return inputs
}

/** Saves what failed as a file that a new batch can be made of once it is repaired. */
function InputsButton({ batchId }: { batchId: string }) {
  const save = useMutation({
    mutationFn: () => failedInputs(batchId),
    onSuccess: (inputs) => {
      downloadText(`${inputsCsv(inputs).join('\n')}\n`, `${batchId}-failed.csv`, 'text/csv')
      notify(`Saved the inputs of ${formatCount(inputs.length)} tasks. Once repaired, the file makes a new batch.`)
    },
    onError: (error) => notify(error.message),
  })
  return (
    <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
      {save.isPending ? 'Reading their inputs …' : 'Save their inputs (CSV)'}
    </button>
  )
}

interface RetryButtonProps {
  batchId: string
  /** Tasks that failed: those that are known. */
  tasks: Task[]
  /** How many run again. */
  count: number
  /** Only these, not all that failed. */
  only?: boolean
}

/** Failed tasks again, as a batch of their own within the same budgets. */
function RetryButton({ batchId, tasks, count, only = false }: RetryButtonProps) {
  const navigate = useNavigate()
  const agent = tasks[0]?.agent ?? ''
  const same = tasks.every((task) => task.agent === agent)
  const retry = useMutation({
    mutationFn: async () => {
      const inputs = await failedInputs(batchId, only ? new Set(tasks.map(({ task_id }) => task_id)) : undefined)
      const wanted = retryId(batchId, Date.now())
      const batch = await troupe().batches.get(batchId, { results: false, inputs: false, ids: false })
      return troupe().batches.submitAll(agent, inputs, { batchId: wanted, body: batch.budgets })
    },
    onSuccess: async ({ batch_id, submitted }) => {
      notify(`${formatCount(submitted)} tasks run again.`)
      await navigate({ to: '/batches/$id', params: { id: batch_id } })
    },
    onError: (error) => notify(error.message),
  })
  return (
    <button
      type="button"
      disabled={retry.isPending || !same}
      title={same ? 'Within the budgets that this batch was given.' : 'They belong to different agents.'}
      onClick={() => retry.mutate()}
    >
      {retry.isPending
        ? 'Reading their inputs …'
        : `Run ${only ? 'these' : 'all'} ${formatCount(count)} again${only ? '' : ' as a new batch'}`}
    </button>
  )
}
