/** The pool whose activities share the workflows' queue. */
export const DEFAULT_POOL = 'default'

/**
 * Task queue of a pool's activities.
 * @param workflowQueue - the queue that every worker of an installation polls for workflow tasks; it is named after the
 * installation's database, so that two installations in one namespace never take each other's work.
 */
export function taskQueueOf(workflowQueue: string, pool: string): string {
  return pool === DEFAULT_POOL ? workflowQueue : `${workflowQueue}.${pool}`
}

/** Temporal's priorities, lower first: somebody waits for a chat, nobody for one task of a batch. */
export const PRIORITY = { chat: 1, job: 2, prompt: 2, task: 4 } as const
