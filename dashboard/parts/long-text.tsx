import { useState } from 'react'
import { formatBytes } from './format.ts'

/** A text; of a long one the beginning until somebody wants the rest, which may be many megabytes. */
export function LongText({ text, most = 20_000 }: { text: string; most?: number }) {
  const [whole, setWhole] = useState(false)
  if (whole || text.length <= most) return text
  return (
    <>
      {text.slice(0, most)}…
      <button type="button" className="quiet" onClick={() => setWhole(true)}>
        Show all {formatBytes(text.length)}
      </button>
    </>
  )
}
