import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useId, useState, type DragEvent } from 'react'
import { useBatch } from '../../api/queries.ts'
import { Failure, Panel, Skeleton } from '../../parts/panel.tsx'
import { ReadOnlyNote } from '../../parts/read-only-note.tsx'
import { Prepared } from './prepared.tsx'
import { readTaskFile } from './task-file.ts'

/** Submits the lines of a file as tasks: of a new batch, or of the one that the address names. */
export function NewBatch() {
  const { to } = useSearch({ from: '/batches/new' })
  const batch = useBatch(to)
  const reading = useMutation({ mutationFn: readTaskFile })
  return (
    <>
      <div className="page-title">
        <h1>{to === undefined ? 'New batch from a file' : `Add tasks to ${to}`}</h1>
        {to === undefined ? (
          <Link to="/batches">All batches</Link>
        ) : (
          <Link to="/batches/$id" params={{ id: to }}>
            Back to the batch
          </Link>
        )}
      </div>
      <ReadOnlyNote />
      <FilePanel onFile={reading.mutate} />
      {reading.isPending && <Skeleton lines={4} />}
      {reading.error !== null && <Failure error={reading.error} />}
      {batch.error !== null && <Failure error={batch.error} />}
      {reading.data !== undefined && (to === undefined || batch.data !== undefined) && (
        <Prepared key={reading.data.hash} file={reading.data} batch={batch.data} />
      )}
    </>
  )
}

/** Where a file is dropped, chosen or pasted. */
function FilePanel({ onFile }: { onFile: (file: File) => void }) {
  const [pasted, setPasted] = useState('')
  const [over, setOver] = useState(false)
  const id = useId()
  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file !== undefined) onFile(file)
  }
  return (
    <Panel title="1 · File">
      <div
        className="drop"
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label htmlFor={id}>Drop a CSV or JSONL file here, or choose one</label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
          onChange={({ target }) => target.files?.[0] && onFile(target.files[0])}
        />
      </div>
      <details>
        <summary>Or paste it</summary>
        <textarea
          aria-label="CSV or JSONL"
          className="code"
          rows={6}
          placeholder={'query\nWhy is the sky blue?\nWhy is the sea salty?'}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
        />
        <button type="button" disabled={pasted.trim() === ''} onClick={() => onFile(new File([pasted], 'pasted.txt'))}>
          Read it
        </button>
      </details>
    </Panel>
  )
}
