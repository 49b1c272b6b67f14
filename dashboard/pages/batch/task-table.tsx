import { durationText } from '../../../client/index.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Schema } from '../../../client/index.ts'
import { troupe } from '../../api/session.ts'
import { useListed } from '../../live/listed.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Empty, Loaded } from '../../parts/panel.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { ShowMore, Table } from '../../parts/table.tsx'
import { Status } from '../../parts/status.tsx'
import { TASK_STATES } from '../../search.ts'

const PAGE = 100

const HEADS = [
  { label: '#', is: 'right' },
  'Id',
  'State',
  { label: 'Agent', is: 'spare' },
  { label: 'Took', is: 'right' },
  { label: 'Tokens', is: 'right spare' },
  { label: 'Error', is: 'wide' },
] satisfies Parameters<typeof Table>[0]['heads']

type State = (typeof TASK_STATES)[number]

/** The tasks of a batch in the order of submission. @param ended - how many have ended: a change is a reason to look again. */
export function TaskTable({ batchId, state, ended }: { batchId: string; state: State | undefined; ended: number }) {
  const navigate = useNavigate()
  const query = useInfiniteQuery({
    queryKey: ['batch-tasks', batchId, state, state === undefined ? 0 : ended],
    queryFn: ({ pageParam, signal }) =>
      troupe().request('get', '/api/batches/{batch_id}/tasks', {
        path: { batch_id: batchId },
        query: { limit: PAGE, cursor: pageParam, state },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: (before) => before,
    refetchInterval: 5_000,
  })
  const tasks = query.data?.pages.flatMap((page) => page.tasks)
  useListed(() => tasks?.map(({ task_id }) => task_id) ?? [])
  const options = [{ value: 'all', label: 'all' }, ...TASK_STATES.map((value) => ({ value, label: value }))] as const
  return (
    <>
      <Segmented
        label="State"
        options={options}
        value={state ?? 'all'}
        onChange={(value) =>
          void navigate({
            to: '/batches/$id',
            params: { id: batchId },
            search: { tab: 'tasks', state: TASK_STATES.find((known) => known === value) },
            replace: true,
          })
        }
      />
      <Loaded query={{ ...query, data: tasks }} lines={5}>
        {(rows) => (rows.length === 0 ? <Empty title="No task is in this state." /> : <Rows tasks={rows} />)}
      </Loaded>
      <ShowMore query={query} />
    </>
  )
}

function Rows({ tasks }: { tasks: Schema<'BatchTask'>[] }) {
  return (
    <Table label="Tasks" heads={HEADS}>
      <tbody>
        {tasks.map(({ task_id, index, state, agent, duration_ms, total_tokens, error }) => (
          <tr key={task_id}>
            <td className="right">{formatCount(index + 1)}</td>
            <th scope="row">
              <Link to="/executions/$id" params={{ id: task_id }}>
                <code>{shortId(task_id)}</code>
              </Link>
            </th>
            <td>
              <Status status={state} />
            </td>
            <td className="spare">{agent}</td>
            <td className="right">{duration_ms === null ? '' : durationText(duration_ms)}</td>
            <td className="right spare">{total_tokens > 0 ? formatCount(total_tokens) : ''}</td>
            <td className="cut">{error}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
