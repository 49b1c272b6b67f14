import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { troupe } from '../../api/session.ts'
import { formatCount } from '../../parts/format.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { useRowsInView } from '../../parts/use-rows-in-view.ts'

const ROW_PX = 28
/** Of one row. */
const SHOWN_CHARACTERS = 400
/** More are read when somebody asks for them: they may be many megabytes. */
const READ_AT_ONCE = 5_000

interface BatchInputsProps {
  batchId: string
  /** How many there are. */
  tasks: number
  onOpen: (index: number) => Promise<void>
}

/** What the tasks of a batch were given, in the order of submission. */
export function BatchInputs({ batchId, tasks, onOpen }: BatchInputsProps) {
  const [wanted, setWanted] = useState(tasks <= READ_AT_ONCE)
  const query = useQuery({
    queryKey: ['batch-inputs', batchId, tasks],
    queryFn: async ({ signal }) => {
      const { inputs } = await troupe().batches.get(batchId, { results: false, ids: false }, { signal })
      return inputs.tasks.map((task) => JSON.stringify(task))
    },
    staleTime: Infinity,
    gcTime: 0,
    enabled: wanted,
    placeholderData: (before) => before,
  })
  if (!wanted) {
    return (
      <Empty title={`${formatCount(tasks)} inputs`}>
        <button type="button" onClick={() => setWanted(true)}>
          Read them
        </button>
      </Empty>
    )
  }
  return (
    <Loaded query={query} lines={8}>
      {(texts) => <Inputs texts={texts} onOpen={onOpen} />}
    </Loaded>
  )
}

/** Only the rows in view exist. */
function Inputs({ texts, onOpen }: { texts: string[]; onOpen: BatchInputsProps['onOpen'] }) {
  const [find, setFind] = useState('')
  const wanted = useDeferredValue(find.toLowerCase())
  const rows = useMemo(
    () => [...texts.keys()].filter((index) => texts[index]?.toLowerCase().includes(wanted)),
    [texts, wanted],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useRowsInView({ count: rows.length, scroller, rowPx: ROW_PX, overscan: 10 })
  return (
    <Panel title="Inputs" flush>
      <div className="filter-bar">
        <input
          type="search"
          data-filter
          aria-label="Filter inputs"
          placeholder="Filter: a text of the inputs"
          value={find}
          onChange={({ target }) => setFind(target.value)}
        />
        <span className="dim number">
          {rows.length === texts.length ? '' : `${formatCount(rows.length)} of `}
          {formatCount(texts.length)} tasks
        </span>
      </div>
      {rows.length === 0 && <Empty title={`0 of ${formatCount(texts.length)} match.`} />}
      <div ref={scroller} className="rows" role="table" aria-label="Inputs" aria-rowcount={rows.length} tabIndex={0}>
        <div role="rowgroup" className="rows-canvas" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index: at, start }) => {
            const index = rows[at] as number
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={at + 1}
                className="row row-input"
                style={{ transform: `translateY(${start}px)` }}
              >
                <span role="cell" className="cell number right">
                  <button type="button" className="link" onClick={() => void onOpen(index)}>
                    #{formatCount(index + 1)}
                  </button>
                </span>
                <code role="cell" className="cell">
                  {texts[index]?.slice(0, SHOWN_CHARACTERS)}
                </code>
              </div>
            )
          })}
        </div>
      </div>
    </Panel>
  )
}
