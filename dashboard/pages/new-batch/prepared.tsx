import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import type { AddAllOptions, Schema, SubmitProgress } from '../../../client/index.ts'
import { useAgents } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { formatBytes, formatCount } from '../../parts/format.ts'
import { Panel, Skeleton } from '../../parts/panel.tsx'
import { useSpending } from '../../parts/use-spending.tsx'
import { COLUMN_TYPES, withSaved, type Column, type ColumnType } from './mapping.ts'
import { saveColumns, savedColumns } from './saved-mappings.ts'
import { Submission } from './submission.tsx'
import { batchIdOf, keyOf, tasksOf, type MappedFile, type TaskFile } from './task-file.ts'

const PREVIEW = 10
const BAD_SHOWN = 20

interface PreparedProps {
  file: TaskFile
  /** The batch that its tasks are added to; they become a new one without it. */
  batch: Schema<'BatchGrid'> | undefined
}

/** A file that was read: what its columns become, what its tasks look like, and their submission. */
export function Prepared({ file, batch }: PreparedProps) {
  const [agent, choice] = useAgentChoice(batch?.agent_name)
  const [edited, setEdited] = useState<Column[]>()
  const remembered = useMemo(() => withSaved(file.columns, savedColumns(agent)), [file, agent])
  const columns = edited ?? remembered
  const { data: mapped } = useQuery({
    queryKey: ['tasks-of-file', file.hash, columns],
    queryFn: ({ signal }) => tasksOf(file, columns, signal),
    // Large, and made again in a moment: nothing is compared, and nothing kept.
    structuralSharing: false,
    gcTime: 0,
  })
  const onSend = (): void => {
    if (file.kind === 'csv') saveColumns(agent, columns)
  }
  const parts = { file, columns, tasks: mapped?.tasks ?? [], agent, choice, onSend }
  return (
    <>
      {file.kind === 'csv' && (
        <Columns columns={columns} onColumns={setEdited}>
          {columns !== file.columns && columns === remembered && (
            <p className="note note-calm">
              As they were mapped when tasks were last submitted to {agent}.{' '}
              <button type="button" className="link" onClick={() => setEdited(file.columns)}>
                As the file suggests
              </button>
            </p>
          )}
        </Columns>
      )}
      <Panel title={`${file.kind === 'csv' ? '3' : '2'} · Tasks`}>
        {mapped === undefined ? <Skeleton lines={4} /> : <Preview file={file} mapped={mapped} />}
      </Panel>
      <Panel title={`${file.kind === 'csv' ? '4' : '3'} · Submit`}>
        {batch === undefined ? <NewTarget {...parts} /> : <AddTarget {...parts} batch={batch} />}
      </Panel>
    </>
  )
}

interface TargetProps {
  file: TaskFile
  columns: Column[]
  tasks: Record<string, unknown>[]
  agent: string
  /** Where the agent is chosen. */
  choice: ReactNode
  /** Told when the submission begins. */
  onSend: () => void
}

/** The tasks become a batch. */
function NewTarget({ file, tasks, agent, choice, onSend }: TargetProps) {
  const [batchId, setBatchId] = useState(() => batchIdOf(file))
  const [body, spendingForm] = useSpending({
    budget: 'All tasks together may use at most',
    task_budget: 'Each task may use at most',
  })
  return (
    <>
      <div className="form-row">
        {choice}
        <label>
          Batch id
          <input
            value={batchId}
            pattern="(?!\.\.?$)[A-Za-z0-9._\-]{1,128}"
            spellCheck={false}
            onChange={(event) => setBatchId(event.target.value)}
          />
        </label>
      </div>
      <p className="dim">
        The id is made of the file&apos;s name and content: the same file, chosen again, goes on where it was
        interrupted, and submits nothing twice.
      </p>
      {spendingForm}
      <Submission
        key={batchId}
        agent={agent}
        batchId={batchId}
        count={tasks.length}
        send={(options) => {
          onSend()
          return troupe().batches.submitAll(agent, tasks, { batchId, body, ...options })
        }}
      />
    </>
  )
}

/** The tasks are added to a batch. */
function AddTarget({
  file,
  columns,
  tasks,
  agent,
  choice,
  onSend,
  batch,
}: TargetProps & { batch: Schema<'BatchGrid'> }) {
  const { batch_id: batchId, status, summary } = batch
  const [body, spendingForm] = useSpending({ task_budget: 'Each task may use at most' })
  async function send(options: Pick<AddAllOptions, 'signal' | 'onProgress'>): Promise<SubmitProgress> {
    onSend()
    const key = await keyOf(file, columns, agent)
    const taskCount = summary.total_expected
    return troupe().batches.addAll(batchId, agent, tasks, { key, taskCount, body, ...options })
  }
  if (status === 'canceled') return <p className="note">The batch is canceled: it takes no more tasks.</p>
  return (
    <>
      <div className="form-row">{choice}</div>
      <p className="dim">
        The batch has {formatCount(summary.total_expected)} tasks. The same file, chosen again within a day, goes on
        where it was interrupted, and adds nothing twice.
      </p>
      {spendingForm}
      <Submission key={agent} agent={agent} batchId={batchId} count={tasks.length} send={send} />
    </>
  )
}

/** The agent that runs the tasks, and where it is chosen. @param wanted - the one to begin with */
function useAgentChoice(wanted?: string): [agent: string, choice: ReactNode] {
  const [agent, setAgent] = useState<string>()
  const { data: agents = [] } = useAgents()
  const first = agents.find(({ name }) => name === wanted) ?? agents.find(({ status }) => status === 'active')
  const chosen = agent ?? first?.name ?? ''
  const choice = (
    <label>
      Agent
      <select value={chosen} onChange={(event) => setAgent(event.target.value)}>
        {agents.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
  return [chosen, choice]
}

function Preview({ file, mapped: { tasks, bad } }: { file: TaskFile; mapped: MappedFile }) {
  return (
    <div className="stack">
      <p>
        <strong>{formatCount(tasks.length)}</strong> tasks from {file.name} ({formatBytes(file.bytes)})
        {bad.length > 0 && (
          <span className="bad">
            {' '}
            · {bad.length === 1 ? '1 line is' : `${formatCount(bad.length)} lines are`} no task
          </span>
        )}
      </p>
      {bad.length > 0 && (
        <ul className="bad-lines">
          {bad.slice(0, BAD_SHOWN).map(({ line, problem }) => (
            <li key={line}>
              Line {formatCount(line)}: {problem}
            </li>
          ))}
          {bad.length > BAD_SHOWN && <li>and {formatCount(bad.length - BAD_SHOWN)} more</li>}
        </ul>
      )}
      <pre className="plain-text" tabIndex={0} aria-label="The first tasks">
        {tasks.slice(0, PREVIEW).map((task) => `${JSON.stringify(task)}\n`)}
      </pre>
    </div>
  )
}

interface ColumnsProps {
  columns: Column[]
  onColumns: (columns: Column[]) => void
  /** What is said of them. */
  children: ReactNode
}

function Columns({ columns, onColumns, children }: ColumnsProps) {
  const change = (index: number, part: Partial<Column>): void =>
    onColumns(columns.map((column, at) => (at === index ? { ...column, ...part } : column)))
  return (
    <Panel title="2 · Columns">
      {children}
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Columns">
        <table className="table mapping">
          <thead>
            <tr>
              <th scope="col">Column of the file</th>
              <th scope="col">Field of the inputs</th>
              <th scope="col">As</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ source, field, type }, index) => (
              <tr key={source}>
                <th scope="row">{source}</th>
                <td>
                  <input
                    aria-label={`Field of ${source}`}
                    value={field}
                    onChange={(event) => change(index, { field: event.target.value })}
                  />
                </td>
                <td>
                  <select
                    aria-label={`Type of ${source}`}
                    value={type}
                    onChange={(event) => change(index, { type: event.target.value as ColumnType })}
                  >
                    {COLUMN_TYPES.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
