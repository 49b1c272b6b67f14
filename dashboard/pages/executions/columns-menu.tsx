import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { COLUMNS } from './columns.ts'

/** Chooses which columns the executions have; kept on the device. */
export function ColumnsMenu() {
  const { columns } = useStore(preferences)
  function choose(label: string, wanted: boolean): void {
    const others = columns.filter((known) => known !== label)
    preferences.update({ columns: wanted ? [...others, label] : others })
  }
  return (
    <details className="menu columns-menu">
      <summary>Columns</summary>
      <div className="menu-body">
        {COLUMNS.filter(({ always }) => always !== true).map(({ label }) => (
          <label key={label} className="check">
            <input
              type="checkbox"
              checked={columns.includes(label)}
              onChange={({ target }) => choose(label, target.checked)}
            />
            {label}
          </label>
        ))}
      </div>
    </details>
  )
}
