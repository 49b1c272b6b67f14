import { keep, kept } from './kept.ts'
import { Store } from './store.ts'

const STORAGE_NAME = 'troupe.preferences'

/** What a person chose; kept on the device. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  zone: 'local' | 'utc'
  /** Whether single keys are shortcuts. */
  shortcuts: boolean
  /** Filters of the executions that were saved, as they are typed. */
  filters: string[]
  /** Whether a timeline that mostly waits shows its waiting short. */
  shortIdle: boolean
  /** Whether rows of timelines and lists are lower. */
  dense: boolean
  /** Whether long lines of logs are broken. */
  wrap: boolean
  /** Whether the Markdown in answers is formatted. */
  formatted: boolean
  /** The columns of the executions that can be left out, by their names. */
  columns: string[]
  /** How wide the drawer of an event is, in pixels. */
  drawerPx: number
}

const DEFAULTS: Preferences = {
  theme: 'system',
  zone: 'local',
  shortcuts: true,
  filters: [],
  shortIdle: false,
  dense: false,
  wrap: false,
  formatted: false,
  columns: ['Kind', 'Created', 'Duration', 'Tokens', 'Error'],
  drawerPx: 640,
}

export const preferences = new Store<Preferences>({
  ...DEFAULTS,
  ...(kept('device', STORAGE_NAME) as Partial<Preferences> | null),
})

preferences.subscribe(() => {
  keep('device', STORAGE_NAME, preferences.state)
  applyTheme()
})

/** Shows the theme and the density that were chosen. */
export function applyTheme(): void {
  const { theme, dense } = preferences.state
  document.documentElement.toggleAttribute('data-dense', dense)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
