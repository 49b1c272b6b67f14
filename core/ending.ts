/** The part of an execution or batch that says whether it has ended. */
export interface EndState {
  status: string
  completed_at: Date | null
}

/**
 * Names the end that an execution or batch has come to; undefined while it goes on, or is canceled and has not stopped.
 * A batch that is revived ends again under another key; what was canceled ends once.
 */
export function endKeyOf({ status, completed_at: completedAt }: EndState): string | undefined {
  if (completedAt === null) return undefined
  return status === 'canceled' ? status : completedAt.toISOString()
}
