import type { ReactNode } from 'react'
import { TroupeError } from '../../client/index.ts'
import { CopyButton } from './copy-button.tsx'

interface PanelProps {
  title: string
  /** What stands at the right of the title. */
  actions?: ReactNode
  children: ReactNode
  /** Without padding: for tables. */
  flush?: boolean
}

/** A titled part of a page. */
export function Panel({ title, actions, children, flush = false }: PanelProps) {
  return (
    <section className={flush ? 'panel panel-flush' : 'panel'} aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}

/** Where the asking for something is. */
export interface Asked<Data> {
  data: Data | undefined
  error: Error | null
  /** Why the last try failed, while there will be another. */
  failureReason: Error | null
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: Asked<Data>
  children: (data: Data) => ReactNode
  /** Lines of the skeleton, about as many as will come. */
  lines?: number
  /** Of a whole page: its heading as long as it has none of its own. */
  heading?: string
  /** Where else to look when there is no such thing. */
  instead?: ReactNode
}

/** What was asked for, or where the asking is: a panel that fails never takes the page. */
export function Loaded<Data>({ query, children, lines = 3, heading, instead }: LoadedProps<Data>) {
  const { data, error, failureReason, refetch } = query
  if (data !== undefined) {
    return (
      <>
        {failureReason !== null && <Stale error={failureReason} />}
        {children(data)}
      </>
    )
  }
  const failure = error ?? failureReason
  return (
    <>
      {heading !== undefined && <h1 className="visually-hidden">{heading}</h1>}
      {failure === null ? (
        <Skeleton lines={lines} />
      ) : (
        <Failure error={failure} onRetry={() => void refetch()} instead={instead} />
      )}
    </>
  )
}

/** The pill at the top says more of a service that cannot be reached. */
function Stale({ error }: { error: Error }) {
  const isAway = error instanceof TroupeError && error.reason === 'unreachable'
  return (
    <p className="stale" role="status">
      {isAway ? 'From before: the service cannot be reached.' : `From before: ${error.message} Trying again.`}
    </p>
  )
}

interface FailureProps {
  error: Error
  onRetry?: () => void
  /** Where else to look when there is no such thing. */
  instead?: ReactNode
}

/** What went wrong, in the service's own sentence. */
export function Failure({ error, onRetry, instead }: FailureProps) {
  const requestId = error instanceof TroupeError ? error.requestId : null
  if (error instanceof TroupeError && error.status === 404) {
    return (
      <Empty title={error.message}>
        <p>It may have been deleted, or its id is not whole. The search at the top finds what an id begins with.</p>
        {instead !== undefined && <p className="actions">{instead}</p>}
      </Empty>
    )
  }
  return (
    <div className="failure" role="alert">
      <p>
        <strong>This could not be loaded.</strong> {error.message}
      </p>
      {requestId !== null && (
        <p className="dim">
          X-Request-Id <code>{requestId}</code> <CopyButton text={requestId} what="the id of the request" />
        </p>
      )}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Grey lines where something will be. */
export function Skeleton({ lines }: { lines: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="skeleton-line" />
      ))}
    </div>
  )
}

interface EmptyProps {
  title: string
  children?: ReactNode
  /** It is all there is of a page. */
  heading?: boolean
}

/** What is said where there is nothing. */
export function Empty({ title, children, heading = false }: EmptyProps) {
  return (
    <div className="empty">
      {heading ? (
        <h1>{title}</h1>
      ) : (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {children}
    </div>
  )
}
