import { codeOf } from '../../core/errors.ts'
import { isServerAway } from '../../store/mongodb/transient.ts'
import { Stop } from '../attempt/stop.ts'

/** Code was abandoned because of an error that its work did not cause. */
export class Interrupted extends Error {
  constructor(cause: unknown) {
    super('The code was interrupted.', { cause })
    this.name = 'Interrupted'
  }
}

/** Whether an error concerns servers or the attempt instead of the agent's work. */
export function isInfrastructure(error: unknown): boolean {
  return error instanceof Stop || codeOf(error) === 'object_lost' || isServerAway(error)
}

/** Rethrows an error that the agent's code did not cause. */
export function rethrowInterruption(error: unknown): void {
  if (error instanceof Interrupted) throw error.cause
}
