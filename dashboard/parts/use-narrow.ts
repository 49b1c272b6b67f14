import { useSyncExternalStore } from 'react'

/** The styles have the same width. */
const NARROW = matchMedia('(max-width: 760px)')

/** Whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches)
}

function subscribe(changed: () => void): () => void {
  NARROW.addEventListener('change', changed)
  return () => NARROW.removeEventListener('change', changed)
}
