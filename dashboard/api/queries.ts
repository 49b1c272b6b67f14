import { keepPreviousData, QueryCache, MutationCache, QueryClient, useQuery } from '@tanstack/react-query'
import { TroupeError, type Schema } from '../../client/index.ts'
import { noteServerTime } from '../live/clock.ts'
import { useStore } from '../live/store.ts'
import { noteFailure, session, troupe } from './session.ts'

const MAX_DELAY_MS = 5_000

/** One cache for the page. What may succeed later is asked again until it does; a panel says so meanwhile. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 1_000,
      retry: (_count, error) => error instanceof TroupeError && error.retryable,
      retryDelay: (count) => Math.min(MAX_DELAY_MS, 500 * 2 ** count),
    },
    mutations: { networkMode: 'always' },
  },
})

/** What the service says of itself. */
export function useAbout() {
  return useQuery({
    queryKey: ['about'],
    queryFn: async ({ signal }) => {
      const about = await troupe().request('get', '/api/about', { signal })
      noteServerTime(about.now)
      return about
    },
    refetchInterval: 60_000,
  })
}

/** What the key of this page may do, and an admin's page which keys there are. */
export function useKeys() {
  const { key } = useStore(session)
  return useQuery({
    queryKey: ['keys', key],
    queryFn: ({ signal }) => troupe().request('get', '/api/keys', { signal }),
    staleTime: 60_000,
  })
}

/** The role of this page's key; undefined until it is known. */
export function useRole(): Schema<'KeyList'>['own']['role'] | undefined {
  return useKeys().data?.own.role
}

/** Whether this page's key may submit and cancel; so until it is known. */
export function useMaySubmit(): boolean {
  return useRole() !== 'read'
}

/** Whether the service is well. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => troupe().health({ signal }),
    refetchInterval: 10_000,
  })
}

/** Totals over everything. */
export function useMetrics() {
  return useQuery({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => troupe().metrics({ signal }),
    refetchInterval: 2_000,
  })
}

/** The providers' accounts; a service that knows none is not asked again and again. */
export function useLimits() {
  return useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => troupe().limits({ signal }),
    refetchInterval: ({ state: { error } }) => (error === null ? 3_000 : false),
  })
}

/** What the last minutes brought. */
export function useSeries(minutes: number, step: number) {
  return useQuery({
    queryKey: ['series', minutes, step],
    queryFn: ({ signal }) => troupe().request('get', '/api/metrics/series', { query: { minutes, step }, signal }),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  })
}

/** All agents, in the order of their names. */
export function useAgents() {
  return useQuery({
    queryKey: ['agents'],
    queryFn: async ({ signal }) => {
      const agents: Schema<'Agent'>[] = []
      for await (const agent of troupe().agents.list({}, { signal })) agents.push(agent)
      return agents.sort((one, other) => (one.name < other.name ? -1 : 1))
    },
    refetchInterval: 10_000,
  })
}

/** The first executions that a filter fits. */
export function useJobs(filter: JobFilter, limit: number, refetchInterval: number) {
  return useQuery({
    queryKey: ['jobs', filter, limit],
    queryFn: ({ signal }) => troupe().request('get', '/api/jobs', { query: { ...filter, limit }, signal }),
    refetchInterval,
    placeholderData: keepPreviousData,
  })
}

/** One execution; asked again while it runs. */
export function useJob(id: string) {
  return useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => troupe().request('get', '/api/jobs/{job_id}', { path: { job_id: id }, signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || data.completed_at === null ? 2_000 : false),
  })
}

/** Where a batch stands, and the state of each of its tasks. @param id - undefined asks for none. */
export function useBatch(id: string | undefined) {
  return useQuery({
    queryKey: ['batch-grid', id],
    queryFn: ({ signal }) =>
      troupe().request('get', '/api/batches/{batch_id}/grid', { path: { batch_id: String(id) }, signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || data.completed_at === null ? 1_000 : 5_000),
    enabled: id !== undefined,
  })
}

/** One event with its whole payload, which never changes. @param id - undefined asks for none. */
export function useTraceEvent(id: number | undefined) {
  return useQuery({
    queryKey: ['trace', id],
    queryFn: ({ signal }) =>
      troupe().request('get', '/api/traces/{trace_id}', { path: { trace_id: String(id) }, signal }),
    staleTime: Infinity,
    enabled: id !== undefined,
  })
}

/** The endpoints that the service has, as `get /api/jobs`: what it does not offer is not shown. */
export function useOffered(): ReadonlySet<string> {
  const { data } = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal })
      const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> }
      return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((name) => `${name} ${path}`))
    },
    staleTime: Infinity,
  })
  return new Set(data)
}

/** An execution as lists show it. */
export type JobListItem = Schema<'JobItem'>

/** Filters of the list of executions. */
export interface JobFilter {
  status?: JobListItem['status'] | undefined
  kind?: JobListItem['kind'] | undefined
  agent?: string | undefined
  batch_id?: string | undefined
  since?: string | undefined
  until?: string | undefined
  id_prefix?: string | undefined
}
