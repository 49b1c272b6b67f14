import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { preferences } from '../live/preferences.ts'
import { PAGES } from './pages.ts'

const SECOND_KEY_MS = 1_500

const FILTER = '[data-filter]'
/** What keys lead to; where a page has none, the palette opens. */
const FOCUSED = new Map([
  ['/', FILTER],
  ['f', FILTER],
  ['.', '[data-actions] :is(button, a, summary):not(:disabled)'],
])

/** Whether a key belongs to a field that is being typed into, or to the browser. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  const field = target.closest('input, textarea, select, [contenteditable]') !== null
  // Many keyboards have [ and ] on AltGr, which tells of Ctrl and Alt too.
  const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  return field || isChord || !preferences.state.shortcuts
}

/**
 * The keys that work on every page: Ctrl+K opens the palette; `g` and a letter leads to a page, `/` to the filter, `.` to
 * what can be done, `?` to the help; any other key presses the button that names it.
 */
export function useShortcuts(onHelp: () => void, onPalette: () => void): void {
  const navigate = useNavigate()
  // Outlives renders: one that comes between two keys must not part them.
  const leaderAt = useRef(0)
  useEffect(() => {
    function act(key: string): boolean {
      const page = PAGES.find((each) => each.key === key)
      if (Date.now() - leaderAt.current < SECOND_KEY_MS && page !== undefined) {
        leaderAt.current = 0
        void navigate({ to: page.to })
      } else if (key === 'g') leaderAt.current = Date.now()
      else if (key === '?') onHelp()
      else if (FOCUSED.has(key)) {
        const element = document.querySelector<HTMLElement>(FOCUSED.get(key) ?? '')
        if (element === null) onPalette()
        else element.focus()
      } else return press(key)
      return true
    }
    function onKey(event: KeyboardEvent): void {
      if (document.querySelector('dialog[open]') !== null) return
      const opensPalette = event.key === 'k' && (event.ctrlKey || event.metaKey)
      if (opensPalette) onPalette()
      if (opensPalette || (!isTyping(event) && act(event.key))) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, onHelp, onPalette])
}

function press(key: string): boolean {
  if (!/^[a-z[\]]$/.test(key)) return false
  const button = document.querySelector<HTMLElement>(`[data-shortcut="${key}"]`)
  button?.click()
  return button !== null
}
