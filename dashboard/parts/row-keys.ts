import type { KeyboardEvent } from 'react'
import { preferences } from '../live/preferences.ts'

const PAGE_ROWS = 15

/** Where a key leads in a list of rows; undefined for a key that does not move. */
export function moveOf(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  active: number,
  count: number,
): number | undefined {
  if (ctrlKey || metaKey || altKey || count === 0) return undefined
  if (key.length === 1 && !preferences.state.shortcuts) return undefined
  const moves: Record<string, number> = {
    ArrowDown: active + 1,
    j: active + 1,
    ArrowUp: active - 1,
    k: active - 1,
    PageDown: active + PAGE_ROWS,
    PageUp: active - PAGE_ROWS,
    Home: 0,
    End: count - 1,
  }
  const move = moves[key]
  return move === undefined ? undefined : Math.min(count - 1, Math.max(0, move))
}
