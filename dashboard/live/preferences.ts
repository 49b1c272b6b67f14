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
}

const DEFAULTS: Preferences = {
  theme: 'system',
  zone: 'local',
  shortcuts: true,
  filters: [],
  shortIdle: false,
  dense: false,
  wrap: false,
}

export const preferences = new Store<Preferences>(stored())

preferences.subscribe(() => {
  localStorage.setItem(STORAGE_NAME, JSON.stringify(preferences.state))
  applyTheme()
})

/** Shows the theme and the density that were chosen. */
export function applyTheme(): void {
  const { theme, dense } = preferences.state
  document.documentElement.toggleAttribute('data-dense', dense)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

function stored(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(STORAGE_NAME) ?? '{}') as Partial<Preferences>) }
  } catch {
    return DEFAULTS
  }
}
