import pTimeout from 'p-timeout'
import { TroupeError } from '../../core/errors.ts'

/**
 * What the work gives, if that comes in time. The work itself goes on: what it does may still come true.
 * @throws TroupeError unavailable when the time is up
 */
export function withinTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const fallback = (): never => {
    throw new TroupeError(
      'unavailable',
      `No answer within ${limitMs / 1_000} s: a server cannot be reached; try again.`,
    )
  }
  return pTimeout(work, { milliseconds: limitMs, fallback })
}
