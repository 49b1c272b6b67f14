import { useMemo } from 'react'
import { formatCount } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { diffLines, type DiffLine } from './line-diff.ts'

const SHOWN = 1_000
const MARKS = { both: ' ', A: '−', B: '+', 'left out': ' ' } as const

interface ValuesDiffProps {
  title: string
  left: string
  right: string
}

/** What differs between a text of A and one of B, line by line. */
export function ValuesDiff({ title, left, right }: ValuesDiffProps) {
  const lines = useMemo(() => diffLines(left, right), [left, right])
  const hidden = lines.length - SHOWN
  return (
    <Panel title={title} actions={<span className="dim">− only in A, + only in B</span>}>
      <div className="diff" tabIndex={0} role="group" aria-label={title}>
        {lines.slice(0, SHOWN).map((line, index) => (
          <p key={index} data-side={line.side}>
            <span className="diff-mark">{MARKS[line.side]}</span>
            <span>{textOf(line)}</span>
          </p>
        ))}
      </div>
      {hidden > 0 && <p className="dim">and {formatCount(hidden)} more lines</p>}
    </Panel>
  )
}

function textOf(line: DiffLine): string {
  if (line.side !== 'left out') return line.text
  return `… ${formatCount(line.lines)} equal ${line.lines === 1 ? 'line' : 'lines'}`
}
