import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { JobFilter, JobListItem } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'

const PAGE = 100
/** Nobody waits for more to be chosen one by one. */
const MOST_CHOSEN = 10_000

/** The rows of a filtered list, and how to get more of them. */
export interface JobRows {
  rows: JobListItem[]
  /** Executions that came since the list was begun; they are shown when the reader wants them. */
  fresh: number
  showFresh: () => void
  /** Without a filter: the total of one is counted to a bound only. */
  total: number | undefined
  /** Reads what is below, too, up to 10,000. @returns the ids of all that are loaded then */
  readAll: () => Promise<string[]>
  query: ReturnType<typeof useInfiniteQuery<{ jobs: JobListItem[]; next_cursor: string | null; total: number }>>
}

/**
 * Executions that a filter fits, page by page. What is shown stays where it is: rows change in place, and new ones wait until
 * the reader is at the top.
 */
export function useJobRows(filter: JobFilter): JobRows {
  const [generation, setGeneration] = useState(0)
  const ask = (cursor: string | undefined, signal: AbortSignal) =>
    troupe().request('get', '/api/jobs', { query: { ...filter, limit: PAGE, cursor }, signal })
  const query = useInfiniteQuery({
    queryKey: ['list', filter, generation],
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: Infinity,
  })
  const head = useQuery({
    queryKey: ['head', filter],
    queryFn: ({ signal }) => ask(undefined, signal),
    refetchInterval: 5_000,
  })
  const loaded = useMemo(() => query.data?.pages.flatMap(({ jobs }) => jobs) ?? [], [query.data])
  const newest = head.data?.jobs ?? []
  const known = useMemo(() => new Set(loaded.map(({ job_id }) => job_id)), [loaded])
  const byId = new Map(newest.map((job) => [job.job_id, job]))
  async function readAll(): Promise<string[]> {
    for (let read = query; ; read = await query.fetchNextPage()) {
      const ids = read.data?.pages.flatMap(({ jobs }) => jobs.map(({ job_id }) => job_id)) ?? []
      if (!read.hasNextPage || read.error !== null || ids.length >= MOST_CHOSEN) return ids
    }
  }
  return {
    readAll,
    rows: loaded.map((job) => byId.get(job.job_id) ?? job),
    fresh: query.data === undefined ? 0 : newest.filter(({ job_id }) => !known.has(job_id)).length,
    showFresh: () => setGeneration(generation + 1),
    total: Object.keys(filter).length === 0 ? (head.data?.total ?? query.data?.pages[0]?.total) : undefined,
    query: query as JobRows['query'],
  }
}
