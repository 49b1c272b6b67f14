import type { Store } from '../store/mongodb/connect.ts'

/** An endpoint that reads: its name in tables, and the path of its n-th request. */
export interface ReadEndpoint {
  name: string
  path: (request: number) => string
}

/** Number of different ids that are requested in turn, spread over all stored ones. */
const SAMPLES = 200

/** All endpoints that list or read, with ids from the database. */
export async function readEndpoints(store: Store): Promise<ReadEndpoint[]> {
  const [prompts, jobs, batches, traces] = await Promise.all([
    sample(store.executions, { kind: 'prompt' }),
    sample(store.executions, { kind: 'job' }),
    sample(store.batches, { task_count: 20 }),
    sample(store.traces, {}),
  ])
  const large = (await store.batches.findOne({ task_count: 1_000 }))?._id ?? ''
  const agents = await store.agents.distinct('_id')
  const turn = (values: unknown[], request: number): unknown => values[request % values.length]
  const fixed = (path: string): ReadEndpoint => ({ name: path, path: () => path })
  return [
    fixed('/api/prompts'),
    fixed('/api/jobs'),
    { name: '/api/jobs?offset', path: (n) => `/api/jobs?offset=${(n % 40) * 50}` },
    fixed('/api/batches'),
    fixed('/api/agents'),
    fixed('/api/traces'),
    { name: '/api/traces?agent_name', path: (n) => `/api/traces?agent_name=${turn(agents, n)}` },
    { name: '/api/traces?job_id', path: (n) => `/api/traces?job_id=${turn(jobs, n)}` },
    {
      name: '/api/traces?job_id&agent_name',
      path: (n) => `/api/traces?job_id=${turn(jobs, n)}&agent_name=${turn(agents, n)}`,
    },
    fixed('/api/traces/grouped'),
    fixed('/api/metrics'),
    { name: '/api/prompts/{id}', path: (n) => `/api/prompts/${turn(prompts, n)}` },
    { name: '/api/jobs/{id}', path: (n) => `/api/jobs/${turn(jobs, n)}` },
    { name: '/api/traces/{id}', path: (n) => `/api/traces/${turn(traces, n)}` },
    { name: '/api/responses/{id}/resolved', path: (n) => `/api/responses/${turn(prompts, n)}/resolved` },
    { name: '/api/batches/{20 tasks}', path: (n) => `/api/batches/${turn(batches, n)}` },
    { name: '/api/batches/{20 tasks}?results=false', path: (n) => `/api/batches/${turn(batches, n)}?results=false` },
    { name: '/api/batches/{1,000 tasks}', path: () => `/api/batches/${large}` },
    { name: '/api/batches/{1,000 tasks}?results=false', path: () => `/api/batches/${large}?results=false` },
    { name: '/api/agents/{name}/tools', path: (n) => `/api/agents/${turn(agents, n)}/tools` },
  ]
}

type Sampled = Store['executions'] | Store['batches'] | Store['traces']

async function sample(collection: Sampled, filter: object): Promise<unknown[]> {
  const stages = [{ $match: filter }, { $sample: { size: SAMPLES } }, { $project: { _id: 1 } }]
  return (await collection.aggregate<{ _id: unknown }>(stages).toArray()).map(({ _id }) => _id)
}
