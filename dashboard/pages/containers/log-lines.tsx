import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { readAnsi } from '../../live/ansi.ts'
import type { LogLine } from '../../live/log-lines.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { formatBytes, formatClock, type Zone } from '../../parts/format.ts'
import { levelOf, markedPieces } from './log-line.ts'

const ROW_PX = 22
/** Of a line; the rest is in the download. */
const SHOWN_CHARACTERS = 5_000
/** A longer name moves what follows. */
const MOST_OF_NAME = 24
const UPWARD = new Set(['ArrowUp', 'PageUp', 'Home'])

interface LogLinesProps {
  lines: readonly LogLine[]
  /** Names of all containers: each line bears its own where there are several. */
  sources: readonly string[]
  /** What fits the filter is marked. */
  expression: RegExp | undefined
  wrap: boolean
  follow: boolean
  onFollow: (follow: boolean) => void
}

/** Lines of logs, the newest last. Who scrolls up reads in peace; the key End follows again. */
export function LogLines({ lines, sources, expression, wrap, follow, onFollow }: LogLinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { zone } = useStore(preferences)
  const nameWidth = Math.min(MOST_OF_NAME, Math.max(...sources.map(({ length }) => length))) + 2
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
    getItemKey: (index) => lines[index]?.key ?? index,
  })
  useEffect(() => {
    if (follow) virtual.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [follow, lines, virtual])
  useKeepPlace(virtual, lines, follow)
  function onKey({ key }: KeyboardEvent): void {
    if (UPWARD.has(key)) onFollow(false)
    else if (key === 'End') onFollow(true)
  }
  return (
    <div
      ref={scroller}
      className="rows log"
      role="log"
      aria-label="Lines"
      aria-live="off"
      tabIndex={0}
      data-wrap={wrap}
      onWheel={({ deltaY }) => deltaY < 0 && onFollow(false)}
      onTouchMove={() => onFollow(false)}
      onKeyDown={onKey}
    >
      <div className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index] as LogLine
          return (
            <div
              key={key}
              ref={wrap ? virtual.measureElement : undefined}
              className="log-line"
              data-index={index}
              data-level={line.isNote ? 'note' : levelOf(line.text.slice(0, SHOWN_CHARACTERS))}
              style={{ transform: `translateY(${start}px)` }}
            >
              <LineText
                line={line}
                source={sources.length > 1 ? sources.indexOf(line.source) : undefined}
                nameWidth={nameWidth}
                expression={expression}
                zone={zone}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface LineTextProps {
  line: LogLine
  /** Number of its container; undefined where there is only one. */
  source: number | undefined
  /** Characters of the longest name, so that what follows stands in a column. */
  nameWidth: number
  expression: RegExp | undefined
  zone: Zone
}

const LineText = memo(function LineText({ line, source, nameWidth, expression, zone }: LineTextProps) {
  const { timestamp, message, isNote } = line
  const pieces = markedPieces(readAnsi(message.slice(0, SHOWN_CHARACTERS)), expression)
  return (
    <>
      <time className="dim">{timestamp === '' ? '' : formatClock(timestamp, zone, true)}</time>{' '}
      {source !== undefined && !isNote && (
        <span className="log-source" data-source={source} style={{ minWidth: `${nameWidth}ch` }}>
          {line.source}
        </span>
      )}
      {pieces.map(({ text, className, isMatch }, index) =>
        isMatch ? (
          <mark key={index} className={className}>
            {text}
          </mark>
        ) : (
          <span key={index} className={className}>
            {text}
          </span>
        ),
      )}
      {message.length > SHOWN_CHARACTERS && (
        <span className="dim"> … cut here; all {formatBytes(message.length)} are in the download</span>
      )}
    </>
  )
})

/** Lines that come before what a reader looks at, or go, do not move it. */
function useKeepPlace(virtual: Virtualizer<HTMLDivElement, Element>, lines: readonly LogLine[], follow: boolean): void {
  const place = useRef<{ key: number; index: number; offset: number }>(undefined)
  useLayoutEffect(() => {
    const before = place.current
    const top = virtual.scrollOffset ?? 0
    if (before !== undefined && !follow && lines[before.index]?.key !== before.key) {
      const index = lines.findIndex(({ key }) => key === before.key)
      const start = virtual.getOffsetForIndex(index, 'start')?.[0]
      if (index !== -1 && start !== undefined) {
        place.current = { ...before, index }
        virtual.scrollToOffset(start + before.offset)
        return
      }
    }
    const first = virtual.getVirtualItems().find(({ end }) => end > top)
    const line = first && lines[first.index]
    place.current = first && line && { key: line.key, index: first.index, offset: top - first.start }
  })
}
