import type { ExecutionKind } from './execution.ts'

/** The pool whose activities use the workflows' task queue. */
export const DEFAULT_POOL = 'default'

/**
 * Task queue of a pool's activities.
 * @param queue - the queue that every worker of an installation polls for workflow tasks. It has the name of the
 *   installation's database, so that two installations in one namespace never take each other's work.
 */
export function poolQueue(queue: string, pool: string): string {
  return pool === DEFAULT_POOL ? queue : `${queue}.${pool}`
}

/** Workflow id of an execution or batch; it begins with the installation's queue. */
export function workflowId(queue: string, id: string): string {
  return `${queue}/${id}`
}

/** The id of a workflow's execution or batch; undefined if the workflow belongs to another installation. */
export function workflowSubject(queue: string, workflow: string): string | undefined {
  return workflow.startsWith(`${queue}/`) ? workflow.slice(queue.length + 1) : undefined
}

/**
 * Temporal priorities; lower numbers run first. A person waits for a chat, nobody waits for a single task of a batch.
 */
export const PRIORITY: Record<ExecutionKind, number> = { chat: 1, job: 2, prompt: 2, task: 4 }
