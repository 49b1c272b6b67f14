import type { ReactNode } from 'react'

interface TableProps {
  /** What it shows, for those who do not see it. */
  label: string
  /** Heads of the columns: numbers stand at the right, a wide column takes what is left, a spare one gives way on a phone. */
  heads: (string | { label: string; is: 'right' | 'wide' | 'spare' | 'right spare' })[]
  /** Rows, and what sums them up. */
  children: ReactNode
}

/** A table that can be scrolled sideways where it has no room. */
export function Table({ label, heads, children }: TableProps) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {heads.map((head) => {
              const { label: text, is } = typeof head === 'string' ? { label: head, is: undefined } : head
              return (
                <th key={text} scope="col" className={is}>
                  {text}
                </th>
              )
            })}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  )
}

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Gets the next page of a list that has one. */
export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ShowMoreProps) {
  if (!hasNextPage) return null
  return (
    <p className="table-foot">
      <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </button>
    </p>
  )
}
