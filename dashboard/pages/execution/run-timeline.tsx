import { useState } from 'react'
import type { TraceState } from '../../live/trace-store.ts'
import type { TimeWindow } from '../../waterfall/time-axis.ts'
import { Timeline } from '../../waterfall/timeline.tsx'
import { SpanDrawer } from './span-drawer.tsx'

interface RunTimelineProps {
  trace: TraceState
  running: boolean
  /** The event that is open. */
  span: number | undefined
  onSpan: (span: number | undefined) => void
}

/** The timeline of a run as a part of another page, whose address says nothing of what is shown of it. */
export function RunTimeline({ trace, running, span, onSpan }: RunTimelineProps) {
  const [find, onFind] = useState('')
  const [path, onPath] = useState(false)
  const [fold, onFold] = useState(false)
  const [errorsOnly, onErrorsOnly] = useState(false)
  const [zoom, onZoom] = useState<TimeWindow>()
  return (
    <>
      <Timeline
        {...{ trace, running, find, onFind, errorsOnly, onErrorsOnly, path, onPath, fold, onFold, zoom, onZoom, span }}
        onOpen={onSpan}
      />
      {span !== undefined && (
        <SpanDrawer key={span} id={span} table={trace.table} onOpen={onSpan} onClose={() => onSpan(undefined)} />
      )}
    </>
  )
}
