import { useMemo, useState } from 'react'
import { asWritten, isRawJson } from '../../client/index.ts'
import { CopyButton } from './copy-button.tsx'
import { JsonFound } from './json-found.tsx'
import { LongText } from './long-text.tsx'

/** Items of an object or array that are shown at once. */
const PAGE = 100
const LONG_TEXT = 2_000
const OPEN_DEPTH = 2
/** What holds no more than that is seen at a glance. */
const SEARCHED = 20

/** A JSON value as a tree. What is closed is not made; text stays text, whatever it looks like. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const [raw, setRaw] = useState(false)
  const [find, setFind] = useState('')
  const isLarge = useMemo(() => holdsMore(value, SEARCHED), [value])
  return (
    <div className="json">
      <div className="json-bar">
        {isLarge && (
          <input
            type="search"
            aria-label={`Search in ${label}`}
            placeholder="Search keys and values …"
            value={find}
            onChange={(event) => setFind(event.target.value)}
          />
        )}
        <button type="button" className="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          Raw
        </button>
        <CopyButton text={() => textOf(value)} what={label} />
      </div>
      {isLarge && find !== '' ? (
        <JsonFound value={value} text={find} />
      ) : raw ? (
        // What scrolls must be reachable by keys.
        <pre className="json-raw" tabIndex={0} aria-label={label}>
          {textOf(value)}
        </pre>
      ) : (
        <div className="json-tree" tabIndex={0} role="group" aria-label={label}>
          <Value value={value} depth={0} />
        </div>
      )}
    </div>
  )
}

/** Whether a value holds more keys and items than that. */
function holdsMore(value: unknown, most: number): boolean {
  let left = most
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const children: unknown[] = Array.isArray(next) ? next.slice(0, left + 1) : Object.values(next)
    left -= children.length
    if (left < 0) return true
    open.push(...children)
  }
  return false
}

function textOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}

function Value({ value, depth }: { value: unknown; depth: number }) {
  if (typeof value === 'string') {
    return (
      <span className="json-text">
        <LongText text={value} most={LONG_TEXT} />
      </span>
    )
  }
  if (typeof value !== 'object' || value === null || isRawJson(value)) {
    return <span className="json-plain">{JSON.stringify(value)}</span>
  }
  return <Branch value={value} depth={depth} />
}

function Branch({ value, depth }: { value: object; depth: number }) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH)
  const [shown, setShown] = useState(PAGE)
  const entries = Object.entries(asWritten(value))
  const isArray = Array.isArray(value)
  if (entries.length === 0) return <span className="json-plain">{isArray ? '[]' : '{}'}</span>
  const size = isArray ? `${entries.length} items` : `${entries.length} ${entries.length === 1 ? 'field' : 'fields'}`
  return (
    <span className="json-branch">
      <button type="button" className="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? '▾' : '▸'} {size}
      </button>
      {open && (
        <span className="json-children">
          {entries.slice(0, shown).map(([key, child]) => (
            <span key={key} className="json-row">
              <span className="json-key">{key}</span> <Value value={child} depth={depth + 1} />
            </span>
          ))}
          {entries.length > shown && (
            <button type="button" className="quiet" onClick={() => setShown(shown + 10 * PAGE)}>
              Show more of {entries.length}
            </button>
          )}
        </span>
      )}
    </span>
  )
}
