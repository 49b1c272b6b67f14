import { useMutation } from '@tanstack/react-query'
import { useId, useState, type DragEvent } from 'react'
import { Failure, Panel, Skeleton } from '../../parts/panel.tsx'
import { Prepared } from './prepared.tsx'
import { readTaskFile } from './task-file.ts'

/** Submits the lines of a file as tasks. */
export function NewBatch() {
  const reading = useMutation({ mutationFn: readTaskFile })
  const [pasted, setPasted] = useState('')
  const [over, setOver] = useState(false)
  const id = useId()
  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file !== undefined) reading.mutate(file)
  }
  return (
    <>
      <div className="page-title">
        <h1>New batch from a file</h1>
      </div>
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
            onChange={({ target }) => target.files?.[0] && reading.mutate(target.files[0])}
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
          <button
            type="button"
            disabled={pasted.trim() === ''}
            onClick={() => reading.mutate(new File([pasted], 'pasted.txt'))}
          >
            Read it
          </button>
        </details>
      </Panel>
      {reading.isPending && <Skeleton lines={4} />}
      {reading.error !== null && <Failure error={reading.error} />}
      {reading.data !== undefined && <Prepared key={reading.data.hash} file={reading.data} />}
    </>
  )
}
