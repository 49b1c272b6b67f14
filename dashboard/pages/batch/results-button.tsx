import { useState } from 'react'
import type { Schema } from '../../../client/index.ts'
import { troupe } from '../../api/session.ts'
import { downloadText } from '../../parts/download.ts'
import { formatCount } from '../../parts/format.ts'
import { notify } from '../../shell/toasts.tsx'

/** Saves every result with its input, in the order of submission; values in the object store come in full. */
export function ResultsButton({ id, summary }: { id: string; summary: Schema<'BatchSummary'> }) {
  const [read, setRead] = useState<number>()
  async function save(): Promise<void> {
    setRead(0)
    const lines: string[] = []
    try {
      for await (const result of troupe().batches.results(id)) {
        lines.push(`${JSON.stringify(result)}\n`)
        if (lines.length % 500 === 0) setRead(lines.length)
      }
      downloadText(lines, `batch-${id}.jsonl`, 'application/x-ndjson')
      notify(`Saved ${formatCount(lines.length)} results.`)
    } catch (error) {
      notify((error as Error).message)
    } finally {
      setRead(undefined)
    }
  }
  return (
    <button type="button" disabled={read !== undefined || summary.recorded === 0} onClick={() => void save()}>
      {read === undefined ? 'Results (JSONL)' : `Reading ${formatCount(read)} …`}
    </button>
  )
}
