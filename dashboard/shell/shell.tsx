import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useAbout, useOffered } from '../api/queries.ts'
import { session } from '../api/session.ts'
import { followFeed } from '../live/feed.ts'
import { useStore } from '../live/store.ts'
import { ConnectionPill } from './connection-pill.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { KeyGate } from './key-gate.tsx'
import { PAGES } from './pages.ts'
import { Palette } from './palette.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import { Toasts } from './toasts.tsx'
import { useMenus } from './use-menus.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** What surrounds every page. */
export function Shell() {
  const { key, gate } = useStore(session)
  const about = useAbout()
  const [open, setOpen] = useState<'help' | 'palette'>()
  const showHelp = useCallback(() => setOpen('help'), [])
  const showPalette = useCallback(() => setOpen('palette'), [])
  useShortcuts(showHelp, showPalette)
  useMenus()
  const ready = gate === 'open' && about.data !== undefined
  useEffect(() => {
    if (!ready) return
    const leaving = new AbortController()
    void followFeed(leaving.signal)
    return () => leaving.abort()
  }, [ready, key])
  return (
    <div className="shell">
      <a className="skip-link" href="#page">
        Skip to the page
      </a>
      <Rail />
      <div className="stage">
        <header className="top-bar">
          <button type="button" className="search" onClick={showPalette}>
            <span className="dim">Go to a page, an agent, an id …</span>
            <kbd>Ctrl K</kbd>
          </button>
          <ConnectionPill />
          <SettingsMenu onHelp={showHelp} version={about.data?.version} />
        </header>
        <main id="page" className="page" tabIndex={-1}>
          {gate === 'open' ? <Outlet /> : <KeyGate wrong={gate === 'wrong'} />}
        </main>
      </div>
      {open === 'help' && <HelpDialog onClose={() => setOpen(undefined)} />}
      {open === 'palette' && gate === 'open' && <Palette onClose={() => setOpen(undefined)} onHelp={showHelp} />}
      <Toasts />
    </div>
  )
}

function Rail() {
  const offered = useOffered()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const shown = PAGES.filter(({ needs }) => offered.size === 0 || offered.has(needs))
  return (
    <nav className="rail" aria-label="Pages">
      <Link to="/" className="brand" aria-label="Troupe, overview">
        <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
          <circle cx="10" cy="10" r="5" />
          <circle cx="23" cy="10" r="5" opacity=".6" />
          <circle cx="16" cy="23" r="5" opacity=".8" />
        </svg>
        <span>Troupe</span>
      </Link>
      {shown.map(({ to, label, icon }) => {
        const current = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
        return (
          <Link key={to} to={to} className="rail-link" aria-current={current ? 'page' : undefined}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d={icon} fill="none" stroke="currentColor" strokeWidth="1.5" />
            </svg>
            <span>{label}</span>
          </Link>
        )
      })}
    </nav>
  )
}
