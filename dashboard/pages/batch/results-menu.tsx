import { useState } from 'react'
import { resultsCsv, type BatchResult, type Schema } from '../../../client/index.ts'
import { troupe } from '../../api/session.ts'
import { downloadText } from '../../parts/download.ts'
import { formatCount } from '../../parts/format.ts'
import { notify } from '../../shell/toasts.tsx'

const SAID_EVERY = 500

/** How results are saved. */
interface Choice {
  label: string
  ending: 'jsonl' | 'csv'
  failedOnly?: boolean
}

const CHOICES: Choice[] = [
  { label: 'Results as JSON lines', ending: 'jsonl' },
  { label: 'Results as CSV', ending: 'csv' },
]
const FAILED: Choice[] = [
  { label: 'Only failed, as JSON lines', ending: 'jsonl', failedOnly: true },
  { label: 'Only failed, as CSV', ending: 'csv', failedOnly: true },
]

interface ResultsMenuProps {
  id: string
  summary: Schema<'BatchSummary'>
}

/** Saves results with their inputs, in the order of submission; values in the object store come in full. */
export function ResultsMenu({ id, summary: { recorded, failed } }: ResultsMenuProps) {
  const [read, setRead] = useState<number>()
  async function save({ ending, failedOnly = false }: Choice): Promise<void> {
    setRead(0)
    const lines: string[] = []
    try {
      const results = troupe().batches.results(id, failedOnly ? { status: 'error' } : {})
      for await (const line of ending === 'csv' ? resultsCsv(results) : jsonLines(results)) {
        lines.push(`${line}\n`)
        if (lines.length % SAID_EVERY === 0) setRead(lines.length)
      }
      const type = ending === 'csv' ? 'text/csv' : 'application/x-ndjson'
      downloadText(lines, `batch-${id}${failedOnly ? '-failed' : ''}.${ending}`, type)
      notify(`Saved ${formatCount(lines.length - (ending === 'csv' ? 1 : 0))} results.`)
    } catch (error) {
      notify((error as Error).message)
    } finally {
      setRead(undefined)
    }
  }
  return (
    <details className="menu">
      <summary>{read === undefined ? 'Results' : `Reading ${formatCount(read)} …`}</summary>
      <div className="menu-body">
        {(failed > 0 ? [...CHOICES, ...FAILED] : CHOICES).map((choice) => (
          <button
            key={choice.label}
            type="button"
            disabled={read !== undefined || recorded === 0}
            onClick={() => void save(choice)}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </details>
  )
}

async function* jsonLines(results: AsyncIterable<BatchResult>): AsyncGenerator<string> {
  for await (const result of results) yield JSON.stringify(result)
}
