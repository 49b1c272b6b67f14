import { useEffect, useState } from 'react'
import { CopyButton } from './copy-button.tsx'
import { formatCount } from './format.ts'
import { searchJson, type SearchProgress } from './json-search.ts'

/** Where a value holds a text: paths with what is there. */
export function JsonFound({ value, text }: { value: unknown; text: string }) {
  const [progress, setProgress] = useState<SearchProgress>()
  useEffect(() => {
    const leaving = new AbortController()
    void searchJson(value, text, leaving.signal, (next) => {
      if (!leaving.signal.aborted) setProgress(next)
    })
    return () => leaving.abort()
  }, [value, text])
  const { found, count, done } = progress ?? { found: [], count: 0, done: false }
  return (
    <div className="json-tree" tabIndex={0} role="group" aria-label="What was found">
      <p className="dim" role="status">
        {formatCount(found.length)} of {formatCount(count)}
        {done ? '' : ' so far …'}
      </p>
      {found.map(({ path, text: there }) => (
        <p key={path} className="json-found">
          <span className="json-key">{path}</span> {there} <CopyButton text={path} what="the path" />
        </p>
      ))}
    </div>
  )
}
