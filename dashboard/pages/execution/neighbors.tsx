import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { neighborsOf } from '../../live/listed.ts'

/** Leads to the executions before and behind this one in the list that it was opened from; the tab stays. */
export function Neighbors({ id }: { id: string }) {
  const [{ before, behind }] = useState(() => neighborsOf(id))
  const { tab } = useSearch({ from: '/executions/$id' })
  const choices = [
    { to: before, shortcut: '[', label: 'Previous of the list', sign: '‹' },
    { to: behind, shortcut: ']', label: 'Next of the list', sign: '›' },
  ]
  return choices.map(
    ({ to, shortcut, label, sign }) =>
      to !== undefined && (
        <Link
          key={shortcut}
          className="button"
          to="/executions/$id"
          params={{ id: to }}
          search={{ tab }}
          data-shortcut={shortcut}
          aria-label={label}
          title={`${label} (${shortcut})`}
        >
          {sign}
        </Link>
      ),
  )
}
