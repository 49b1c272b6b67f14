import { Link } from '@tanstack/react-router'
import { TroupeError } from '../../../client/index.ts'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import type { StatusShape } from '../../parts/status-icon.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'
import { idOf } from './container-names.ts'
import { useContainers } from './use-containers.ts'

const TYPES = [
  ['api', 'API'],
  ['worker', 'Workers'],
  ['infrastructure', 'Infrastructure'],
  ['other', 'Other'],
] as const

/** A container that runs is as it should be. */
const SHAPES: Record<string, StatusShape> = { running: 'check', exited: 'bar', dead: 'cross' }

/** The containers that the engine knows, by what they are. */
export function Containers() {
  const query = useContainers()
  const missing = query.error instanceof TroupeError && query.error.status === 503
  return (
    <>
      <div className="page-title">
        <h1>Containers</h1>
      </div>
      {missing && query.data === undefined ? (
        <NoEngine reason={query.error?.message} />
      ) : (
        <Loaded query={query} lines={6}>
          {({ containers }) =>
            containers.length === 0 ? (
              <Empty title="The engine has no containers." />
            ) : (
              TYPES.map(([type, title]) => {
                const some = containers.filter((container) => container.type === type)
                if (some.length === 0) return null
                return (
                  <Panel
                    key={type}
                    title={title}
                    actions={
                      some.length > 1 && (
                        <Link to="/containers/$id" params={{ id: idOf(some.map(({ name }) => name)) }}>
                          Logs together
                        </Link>
                      )
                    }
                  >
                    <ul className="lines">
                      {some.map(({ id, name, image, status, created }) => (
                        <li key={id}>
                          <span className="line-text">
                            <Link to="/containers/$id" params={{ id: name }}>
                              {name}
                            </Link>
                            <span className="dim">
                              {image} · created <Ago at={created} />
                            </span>
                          </span>
                          <Status status={status} shape={SHAPES[status]} />
                        </li>
                      ))}
                    </ul>
                  </Panel>
                )
              })
            )
          }
        </Loaded>
      )}
    </>
  )
}

function NoEngine({ reason }: { reason: string | undefined }) {
  return (
    <Empty title="No Docker engine can be reached.">
      <p>
        Set <code>DOCKER_HOST</code> to one, and its containers and their logs are shown here. Everything else works
        without it.
      </p>
      <p>{reason}</p>
    </Empty>
  )
}
