import { useMaySubmit } from '../api/queries.ts'

/** Says to who holds a key that only reads why nothing can be started here. */
export function ReadOnlyNote() {
  return useMaySubmit() ? null : <p className="note">Your key may look, and not submit: its role is read.</p>
}
