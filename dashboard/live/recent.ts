import { keep, kept } from './kept.ts'
import { Store } from './store.ts'

const STORAGE_NAME = 'troupe.recent'
const MOST = 8

/** An execution or batch that was looked at. */
export interface Recent {
  kind: 'execution' | 'batch'
  id: string
  label: string
}

/** What was looked at last on this device, the latest first. */
export const recent = new Store<Recent[]>(stored())

/** Notes that something is being looked at. */
export function noteVisit(visit: Recent): void {
  const others = recent.state.filter(({ id }) => id !== visit.id)
  recent.set([visit, ...others].slice(0, MOST))
  keep('device', STORAGE_NAME, recent.state)
}

function stored(): Recent[] {
  const value = kept('device', STORAGE_NAME)
  return Array.isArray(value) ? (value as Recent[]) : []
}
