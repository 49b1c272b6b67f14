import { useMemo } from 'react'
import { useServerNow } from '../live/clock.ts'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import type { TraceState } from '../live/trace-store.ts'
import { criticalPath } from './critical-path.ts'
import { idleGaps } from './idle-gaps.ts'
import { timeAxis } from './time-axis.ts'

/** The time of a trace: its end, its idle stretches, where moments lie, and what its length comes from. */
export function useTimeAxis({ table, version }: TraceState, running: boolean, path: boolean) {
  const { shortIdle } = useStore(preferences)
  const now = useServerNow(running ? 1_000 : 0)
  const endMs = Math.max(1, table.endMs, running && table.size > 0 ? now - table.originMs : 0)
  const gaps = useMemo(
    () => idleGaps(table, endMs),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the table is changed in place; its version says when
    [table, version, endMs],
  )
  const axis = useMemo(() => timeAxis(endMs, shortIdle ? gaps : []), [endMs, shortIdle, gaps])
  const critical = useMemo(
    () => (path ? criticalPath(table, endMs) : undefined),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- as above
    [table, version, endMs, path],
  )
  return { endMs, gaps, axis, critical }
}
