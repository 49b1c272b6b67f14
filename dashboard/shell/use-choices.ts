import { useNavigate } from '@tanstack/react-router'
import { useAgents } from '../api/queries.ts'
import { preferences } from '../live/preferences.ts'
import { recent } from '../live/recent.ts'
import { useStore } from '../live/store.ts'
import { copyText } from '../parts/copy-button.tsx'
import { shortId } from '../parts/format.ts'
import { PAGES } from './pages.ts'
import type { Choice } from './palette-choices.ts'

/** Everything that the palette leads to, and what it can do. */
export function useChoices(onHelp: () => void): Choice[] {
  const navigate = useNavigate()
  const { data: agents = [] } = useAgents()
  const visited = useStore(recent)
  const { theme, zone } = useStore(preferences)
  const pages = PAGES.map(({ to, label }): Choice => ({ label, kind: 'page', run: () => navigate({ to }) }))
  const seen = visited.map(({ kind, id, label }): Choice => {
    const to = kind === 'batch' ? '/batches/$id' : '/executions/$id'
    return { label: `${label} ${shortId(id)}`.trim(), kind, run: () => navigate({ to, params: { id } }) }
  })
  const named = agents.map(({ name: id }): Choice => {
    return { label: id, kind: 'agent', run: () => navigate({ to: '/agents/$id', params: { id } }) }
  })
  const nextTheme = theme === 'dark' ? 'light' : 'dark'
  const nextZone = zone === 'utc' ? 'local' : 'utc'
  const actions: Choice[] = [
    { label: 'New batch from a file', kind: 'action', run: () => navigate({ to: '/batches/new' }) },
    { label: 'Limits of providers', kind: 'page', run: () => navigate({ to: '/limits' }) },
    { label: 'Keys and deletion', kind: 'page', run: () => navigate({ to: '/service' }) },
    {
      label: 'Failed executions',
      kind: 'list',
      run: () => navigate({ to: '/executions', search: { status: 'failed' } }),
    },
    {
      label: 'Running executions',
      kind: 'list',
      run: () => navigate({ to: '/executions', search: { status: 'running' } }),
    },
    { label: 'Copy a link to this page', kind: 'action', run: () => copyText(location.href, 'the link') },
    { label: `Theme: ${nextTheme}`, kind: 'setting', run: () => preferences.update({ theme: nextTheme }) },
    {
      label: `Times in ${nextZone === 'utc' ? 'UTC' : 'local time'}`,
      kind: 'setting',
      run: () => preferences.update({ zone: nextZone }),
    },
    { label: 'Help and keyboard shortcuts', kind: 'action', run: onHelp },
  ]
  return [...seen, ...pages, ...actions, ...named]
}
