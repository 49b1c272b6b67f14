import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { preferences } from '../live/preferences.ts'
import { PAGES } from './pages.ts'

const SECOND_KEY_MS = 1_500

/** Whether a key belongs to a field that is being typed into, or to the browser. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  const field = target.closest('input, textarea, select, [contenteditable]') !== null
  return field || event.ctrlKey || event.metaKey || event.altKey || !preferences.state.shortcuts
}

/** The keys that work on every page: `g` and a letter leads to a page, `/` to the search, `?` to the help. */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate()
  // Outlives renders: one that comes between two keys must not part them.
  const leaderAt = useRef(0)
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event) || document.querySelector('dialog[open]') !== null) return
      const page = PAGES.find(({ key }) => key === event.key)
      if (Date.now() - leaderAt.current < SECOND_KEY_MS && page !== undefined) {
        leaderAt.current = 0
        event.preventDefault()
        void navigate({ to: page.to })
      } else if (event.key === 'g') leaderAt.current = Date.now()
      else if (event.key === '/') {
        event.preventDefault()
        const field = document.querySelector<HTMLElement>('[data-filter]') ?? document.querySelector('[data-search]')
        ;(field as HTMLElement | null)?.focus()
      } else if (event.key === '?') onHelp()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, onHelp])
}
