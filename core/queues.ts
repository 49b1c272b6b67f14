import type { ExecutionKind } from './execution.ts'

/** The pool whose activities share the workflows' queue. */
export const DEFAULT_POOL = 'default'

/**
 * Task queue of a pool's activities.
 * @param queue - the queue that every worker of an installation polls for workflow tasks; it is named after the
 * installation's database, so that two installations in one namespace never take each other's work.
 */
export function poolQueue(queue: string, pool: string): string {
  return pool === DEFAULT_POOL ? queue : `${queue}.${pool}`
}

/** Id of the workflow of an execution or batch: it begins with the installation's queue. */
export function workflowId(queue: string, id: string): string {
  return `${queue}/${id}`
}

/** The execution or batch of a workflow; undefined when the workflow is not this installation's. */
export function workflowSubject(queue: string, workflow: string): string | undefined {
  return workflow.startsWith(`${queue}/`) ? workflow.slice(queue.length + 1) : undefined
}

/** Temporal's priorities, lower first: somebody waits for a chat, nobody for one task of a batch. */
export const PRIORITY: Record<ExecutionKind, number> = { chat: 1, job: 2, prompt: 2, task: 4 }
