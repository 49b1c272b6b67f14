import { codeOf } from '../../core/errors.ts'

const DUPLICATE_KEY = 11_000

/** Whether an insert was refused because a document has the key already. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY
}
