import type { Client, Connection } from '@temporalio/client'
import { Gauge } from 'prom-client'
import { messageOf } from '../core/errors.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/mongodb/connect.ts'
import { poolQueue } from '../core/queues.ts'

export interface QueueBacklogOptions {
  temporal: Client
  store: Pick<Store, 'agents'>
  /** Task queue of the workflows. */
  queue: string
  log: Log
}

/** Scrapes within this time share a response. */
const FRESH_MS = 5_000
const TIMEOUT_MS = 1_500
/** Temporal's numbers of the types. */
const TYPES = { workflow: 1, activity: 2 } as const

/**
 * Adds the backlog of an installation's task queues to the metrics. Each scrape queries Temporal. If Temporal does not
 * respond, the value is missing instead of outdated.
 */
export function watchQueueBacklog({ temporal, store, queue, log }: QueueBacklogOptions): void {
  let askedAt = -FRESH_MS
  let asked: Promise<void> = Promise.resolve()
  const refresh = async (): Promise<void> => {
    const found = await backlogs({ temporal, store, queue }).catch((error: unknown) => {
      log.debug({ error: messageOf(error) }, 'cannot read the backlog of the task queues')
      return []
    })
    tasks.reset()
    age.reset()
    for (const { count, ageSeconds, ...labels } of found) {
      tasks.set(labels, count)
      age.set(labels, ageSeconds)
    }
  }
  const collect = (): Promise<void> => {
    if (performance.now() - askedAt >= FRESH_MS) {
      askedAt = performance.now()
      asked = refresh()
    }
    return asked
  }
  const labelNames = ['queue', 'type'] as const
  const tasks = new Gauge({
    name: 'troupe_task_queue_backlog',
    help: 'Tasks that wait for a worker, by task queue and type (approximate).',
    labelNames,
    collect,
  })
  const age = new Gauge({
    name: 'troupe_task_queue_backlog_age_seconds',
    help: 'How long the oldest task of a queue waits (approximate).',
    labelNames,
    collect,
  })
}

interface Backlog {
  queue: string
  type: string
  count: number
  ageSeconds: number
}

async function backlogs({ temporal, store, queue }: Omit<QueueBacklogOptions, 'log'>): Promise<Backlog[]> {
  const pools = await store.agents.distinct('pool', {}, { timeoutMS: TIMEOUT_MS })
  const queues = [...new Set([queue, ...pools.map((pool) => poolQueue(queue, pool))])]
  const wanted = queues.flatMap((name) =>
    // Only one queue has workflow tasks.
    (name === queue ? (['workflow', 'activity'] as const) : (['activity'] as const)).map((type) => ({ name, type })),
  )
  const { workflowService } = temporal.connection as Connection
  return temporal.withDeadline(Date.now() + TIMEOUT_MS, () =>
    Promise.all(
      wanted.map(async ({ name, type }): Promise<Backlog> => {
        const { stats } = await workflowService.describeTaskQueue({
          namespace: temporal.options.namespace,
          taskQueue: { name },
          taskQueueType: TYPES[type],
          reportStats: true,
        })
        const count = Number(stats?.approximateBacklogCount ?? 0)
        return { queue: name, type, count, ageSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0) }
      }),
    ),
  )
}
