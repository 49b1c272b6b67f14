import { durationText, costText } from '../../../client/index.ts'
import { useTraceEvent } from '../../api/queries.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { formatCount } from '../../parts/format.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Loaded, Panel } from '../../parts/panel.tsx'
import { Moment } from '../../parts/time.tsx'
import { agentOf } from '../../waterfall/relatives.ts'
import type { TraceTable } from '../../waterfall/trace-table.ts'
import { SpanRelatives, SpanTimes } from './span-place.tsx'
import { WorkerLog } from './worker-log.tsx'

/** Parts of a payload that deserve a place of their own, in this order. */
const SECTIONS = ['error', 'inputs', 'parameters', 'result', 'response', 'stack']
/** Second names of what is shown already. */
const HIDDEN = new Set(['tool', 'params'])

interface SpanDrawerProps {
  id: number
  /** The trace that it is part of. */
  table: TraceTable
  onOpen: (id: number) => void
  onClose: () => void
}

/** One event with its whole payload, and its place among the others. */
export function SpanDrawer({ id, table, onOpen, onClose }: SpanDrawerProps) {
  const query = useTraceEvent(id)
  const row = table.rowOf(id)
  const agentRow = row === undefined ? undefined : agentOf(table, row)
  return (
    <Dialog title={`Event ${id}`} onClose={onClose} drawer>
      <Loaded query={query} lines={6}>
        {(trace) => (
          <>
            <dl className="facts">
              <div>
                <dt>Type</dt>
                <dd>{trace.event_type}</dd>
              </div>
              <div>
                <dt>Agent</dt>
                <dd>{trace.agent_name}</dd>
              </div>
              <div>
                <dt>At</dt>
                <dd>
                  <Moment at={trace.timestamp} />
                </dd>
              </div>
              {typeof trace.payload.duration_ms === 'number' && (
                <div>
                  <dt>Took</dt>
                  <dd>{durationText(trace.payload.duration_ms)}</dd>
                </div>
              )}
              {row !== undefined && <SpanTimes table={table} row={row} />}
              {trace.event_type === 'llm_usage' && <CallFacts payload={trace.payload} />}
              {agentRow !== undefined && (
                <WorkerLog
                  start={table.id[agentRow] as number}
                  sinceMs={table.originMs + (table.start[row ?? agentRow] as number)}
                />
              )}
            </dl>
            {row !== undefined && <SpanRelatives table={table} row={row} onOpen={onOpen} />}
            <Payload payload={trace.payload} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** What a model call used, and what that cost. */
function CallFacts({ payload }: { payload: Record<string, unknown> }) {
  const { prompt_tokens, completion_tokens, cached_tokens, cost_usd, usage, failed } = payload
  const count = (value: unknown): string => formatCount(typeof value === 'number' ? value : 0)
  const cost = { usd: typeof cost_usd === 'number' ? cost_usd : null, complete: true }
  return (
    <>
      <div>
        <dt>Tokens</dt>
        <dd>
          {count(prompt_tokens)} in{cached_tokens ? ` (${count(cached_tokens)} from the cache)` : ''},{' '}
          {count(completion_tokens)} out{typeof usage === 'string' && usage !== 'measured' && `, ${usage}`}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{costText(cost)}</dd>
      </div>
      {typeof failed === 'string' && (
        <div>
          <dt>Answer</dt>
          <dd>
            {failed === 'hedge_lost' ? 'Not this one: an equal call began to answer first (hedge)' : `None: ${failed}`}
          </dd>
        </div>
      )}
    </>
  )
}

function Payload({ payload }: { payload: Record<string, unknown> }) {
  const sections = SECTIONS.filter((name) => payload[name] !== undefined && payload[name] !== null)
  const rest = Object.fromEntries(
    Object.entries(payload).filter(([name]) => !sections.includes(name) && !HIDDEN.has(name)),
  )
  return (
    <>
      {sections.map((name) => (
        <Panel key={name} title={name}>
          {typeof payload[name] === 'string' ? (
            <pre className="plain-text" tabIndex={0} aria-label={name}>
              {payload[name]}
            </pre>
          ) : (
            <JsonView value={payload[name]} label={name} />
          )}
        </Panel>
      ))}
      {Object.keys(rest).length > 0 && (
        <Panel title="Everything else">
          <JsonView value={rest} label="the payload" />
        </Panel>
      )}
    </>
  )
}
