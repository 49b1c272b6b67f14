import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schema } from '../../../client/index.ts'
import { useMaySubmit } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { formatCount, shortId } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { Progress } from '../../parts/progress.tsx'
import { ShowMore, Table } from '../../parts/table.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago, Duration } from '../../parts/time.tsx'
import { paceText, remainingText } from '../batch/pace-text.ts'
import { useRate } from '../batch/use-rate.ts'

const PAGE = 50

/** All batches, newest first. */
export function Batches() {
  const maySubmit = useMaySubmit()
  const query = useInfiniteQuery({
    queryKey: ['batches', 'all'],
    queryFn: ({ pageParam, signal }) =>
      troupe().request('get', '/api/batches', { query: { limit: PAGE, cursor: pageParam, ids: false }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: 3_000,
  })
  const batches = query.data?.pages.flatMap(({ batches: page }) => page)
  return (
    <>
      <h1 className="visually-hidden">Batches</h1>
      <Panel
        title="Batches"
        flush
        actions={
          maySubmit && (
            <Link className="button primary" to="/batches/new">
              New batch from a file
            </Link>
          )
        }
      >
        <Loaded query={{ ...query, data: batches }} lines={6}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No batch yet.">
                A batch runs many tasks of an agent in parallel: each line of a CSV or JSONL file becomes one.
              </Empty>
            ) : (
              <BatchTable batches={rows} readAtMs={query.dataUpdatedAt} />
            )
          }
        </Loaded>
        <ShowMore query={query} />
      </Panel>
    </>
  )
}

function BatchTable({ batches, readAtMs }: { batches: Schema<'BatchItem'>[]; readAtMs: number }) {
  return (
    <Table
      label="Table of batches"
      heads={[
        'Batch',
        'Status',
        { label: 'Agent', is: 'spare' },
        { label: 'Tasks', is: 'wide' },
        { label: 'Pace', is: 'spare' },
        { label: 'Created', is: 'spare' },
        { label: 'Duration', is: 'right spare' },
      ]}
    >
      <tbody>
        {batches.map((batch) => (
          <BatchRow key={batch.batch_id} batch={batch} readAtMs={readAtMs} />
        ))}
      </tbody>
    </Table>
  )
}

function BatchRow({ batch, readAtMs }: { batch: Schema<'BatchItem'>; readAtMs: number }) {
  const { batch_id, status, agent_name, summary, created_at, completed_at } = batch
  return (
    <tr>
      <th scope="row">
        <Link to="/batches/$id" params={{ id: batch_id }}>
          {shortId(batch_id)}
        </Link>
      </th>
      <td>
        <Status status={status} />
      </td>
      <td className="spare name">{agent_name}</td>
      <td>
        <Progress summary={summary} />
        <span className="dim number">
          {formatCount(summary.recorded)} of {formatCount(summary.total_expected)}
          {summary.failed > 0 && <span className="bad"> ·&nbsp;{formatCount(summary.failed)}&nbsp;failed</span>}
        </span>
      </td>
      <td className="spare">{completed_at === null && <Pace summary={summary} readAtMs={readAtMs} />}</td>
      <td className="spare">
        <Ago at={created_at} />
      </td>
      <td className="right spare">
        <Duration from={created_at} to={completed_at} />
      </td>
    </tr>
  )
}

/** How fast a batch goes, and how long the rest takes, as far as it was seen. */
function Pace({ summary, readAtMs }: { summary: Schema<'BatchItem'>['summary']; readAtMs: number }) {
  const rate = useRate(summary, readAtMs)
  return (
    <span className={rate.stalledSeconds === undefined ? 'number' : 'number bad'}>
      {paceText(rate.minute)}
      {(rate.remainingSeconds ?? rate.stalledSeconds) !== undefined && (
        <span className="under">{remainingText(rate)}</span>
      )}
    </span>
  )
}
