import { useState } from 'react'
import type { Schema } from '../../../client/index.ts'
import { troupe } from '../../api/session.ts'
import { downloadJson, downloadText } from '../../parts/download.ts'
import { formatCount } from '../../parts/format.ts'
import { notify } from '../../shell/toasts.tsx'
import { executionReport, REPORTED_STEPS } from './execution-report.ts'

const SAID_EVERY = 500

/** Saves an execution, its events with their whole payloads, or a report for people. */
export function DownloadMenu({ job }: { job: Schema<'Job'> }) {
  const { job_id: id } = job
  const [read, setRead] = useState<number>()
  async function save(work: () => void | Promise<void>): Promise<void> {
    setRead(0)
    try {
      await work()
    } catch (error) {
      notify((error as Error).message)
    } finally {
      setRead(undefined)
    }
  }
  async function saveEvents(): Promise<void> {
    const lines: string[] = []
    for await (const event of troupe().traces.ofJob(id)) {
      lines.push(`${JSON.stringify(event)}\n`)
      if (lines.length % SAID_EVERY === 0) setRead(lines.length)
    }
    downloadText(lines, `execution-${id}.events.jsonl`, 'application/x-ndjson')
    notify(`Saved ${formatCount(lines.length)} ${lines.length === 1 ? 'event' : 'events'}.`)
  }
  async function saveReport(): Promise<void> {
    const { items, nextCursor } = await troupe().traces.list({ job_id: id, limit: REPORTED_STEPS }).page()
    const report = executionReport(job, items, nextCursor !== null)
    downloadText(report, `execution-${id}.md`, 'text/markdown')
  }
  const choices = [
    { label: 'Execution (JSON)', run: () => downloadJson(job, `execution-${id}.json`) },
    { label: 'Events (JSON lines)', run: saveEvents },
    { label: 'Report (Markdown)', run: saveReport },
  ]
  return (
    <details className="menu">
      <summary>{read === undefined || read === 0 ? 'Download' : `Reading ${formatCount(read)} …`}</summary>
      <div className="menu-body">
        {choices.map(({ label, run }) => (
          <button key={label} type="button" disabled={read !== undefined} onClick={() => void save(run)}>
            {label}
          </button>
        ))}
      </div>
    </details>
  )
}
