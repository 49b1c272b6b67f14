/** The fields of an execution or batch that determine whether it has ended. */
export interface EndState {
  status: string
  completed_at: Date | null
}

/**
 * Key of the end of an execution or batch; undefined while it runs, or while a cancel is not complete. A revived batch
 * ends again under a new key; a canceled one ends once.
 */
export function endKeyOf({ status, completed_at: completedAt }: EndState): string | undefined {
  if (completedAt === null) return undefined
  return status === 'canceled' ? status : completedAt.toISOString()
}
