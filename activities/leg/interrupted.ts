import { codeOf } from '../../core/errors.ts'
import { isServerAway } from '../../store/mongodb/transient.ts'
import { Stop } from '../attempt/stop.ts'

/** Code was left where it stands, because what it waited for failed for reasons that are not the work's. */
export class Interrupted extends Error {
  constructor(cause: unknown) {
    super('The code was interrupted.', { cause })
    this.name = 'Interrupted'
  }
}

/** Whether an error is about servers, or about the attempt, and not about what an agent does. */
export function isInfrastructure(error: unknown): boolean {
  return error instanceof Stop || codeOf(error) === 'object_lost' || isServerAway(error)
}

/** Throws again what an agent's code is not to blame for. */
export function rethrowInterruption(error: unknown): void {
  if (error instanceof Interrupted) throw error.cause
}
