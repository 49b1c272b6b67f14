/** The part of an execution or batch that says whether it has ended. */
export interface EndState {
  status: string
  completed_at: Date | null
}

/**
 * Where something stands: going on; canceled but not yet known to have stopped; or ended. `key` tells one end from the
 * next, because a batch can be revived and end again.
 */
export type Ending = { phase: 'running' } | { phase: 'stopping' } | { phase: 'ended'; key: string }

/** What a canceled one counts as ended under, whenever its run really stops: it cannot be revived. */
export const CANCELED_KEY = 'canceled'

/** Tells which ending an execution or batch has reached by its state. */
export function endingOf({ status, completed_at: completedAt }: EndState): Ending {
  if (status === 'canceled') return completedAt === null ? { phase: 'stopping' } : { phase: 'ended', key: CANCELED_KEY }
  return completedAt === null ? { phase: 'running' } : { phase: 'ended', key: completedAt.toISOString() }
}
