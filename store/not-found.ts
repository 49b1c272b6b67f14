import { TroupeError } from '../core/errors.ts'

const SHOWN_CHARACTERS = 100

/** There is no execution with this id. */
export function noExecution(id: string): TroupeError {
  return new TroupeError('not_found', `There is no execution "${id.slice(0, SHOWN_CHARACTERS)}".`)
}

/** There is no batch with this id. */
export function noBatch(id: string): TroupeError {
  return new TroupeError('not_found', `There is no batch "${id.slice(0, SHOWN_CHARACTERS)}".`)
}
