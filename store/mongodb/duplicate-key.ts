import { codeOf } from '../../core/errors.ts'

const DUPLICATE_KEY = 11_000

/** Whether an insert failed because a document with the same key exists. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY
}
