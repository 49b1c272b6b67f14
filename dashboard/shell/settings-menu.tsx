import { Link } from '@tanstack/react-router'
import { preferences, type Preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'

const THEMES: Preferences['theme'][] = ['system', 'light', 'dark']

/** Theme, time zone, shortcuts, density, help, and the way to what operators look at. */
export function SettingsMenu({ onHelp, version }: { onHelp: () => void; version: string | undefined }) {
  const { theme, zone, shortcuts, dense } = useStore(preferences)
  return (
    <details className="menu">
      <summary aria-label="Settings">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </summary>
      <div className="menu-body">
        <label>
          Theme
          <select
            value={theme}
            onChange={(event) => preferences.update({ theme: event.target.value as Preferences['theme'] })}
          >
            {THEMES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Times in
          <select
            value={zone}
            onChange={(event) => preferences.update({ zone: event.target.value as Preferences['zone'] })}
          >
            <option value="local">local time</option>
            <option value="utc">UTC</option>
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={shortcuts}
            onChange={(event) => preferences.update({ shortcuts: event.target.checked })}
          />
          Keyboard shortcuts
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={dense}
            onChange={(event) => preferences.update({ dense: event.target.checked })}
          />
          Dense rows
        </label>
        <button type="button" onClick={onHelp}>
          Help and shortcuts
        </button>
        <a href="/docs">Interface (docs)</a>
        <Link to="/limits">Limits of providers</Link>
        <Link to="/service">Keys and deletion</Link>
        {version !== undefined && <p className="dim">Troupe {version}</p>}
      </div>
    </details>
  )
}
