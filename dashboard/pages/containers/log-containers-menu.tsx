import { useNavigate } from '@tanstack/react-router'
import { idOf, MOST_TOGETHER } from './container-names.ts'
import { useContainers } from './use-containers.ts'

/** Which logs are read together. @param names - those that are */
export function LogContainersMenu({ names }: { names: string[] }) {
  const navigate = useNavigate({ from: '/containers/$id' })
  const { data } = useContainers()
  const known = data?.containers.map(({ name }) => name) ?? []
  const offered = [...names, ...known.filter((name) => !names.includes(name)).toSorted()]
  function choose(name: string, isChosen: boolean): void {
    const next = isChosen ? [...names, name] : names.filter((each) => each !== name)
    void navigate({ params: { id: idOf(next) }, search: (now) => now, replace: true })
  }
  return (
    <details className="menu">
      <summary>{names.length === 1 ? 'With others' : `${names.length} together`}</summary>
      <div className="menu-body menu-long">
        <p className="dim">Their lines in one log, in the order of their times.</p>
        {offered.map((name) => {
          const isChosen = names.includes(name)
          const isBound = isChosen ? names.length === 1 : names.length === MOST_TOGETHER
          return (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={isChosen}
                disabled={isBound}
                onChange={({ target }) => choose(name, target.checked)}
              />
              {name}
            </label>
          )
        })}
        {names.length === MOST_TOGETHER && <p className="dim">More than {MOST_TOGETHER} are not read together.</p>}
      </div>
    </details>
  )
}
