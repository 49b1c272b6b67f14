import { addAbortSignal, type Readable } from 'node:stream'
import type Docker from 'dockerode'
import { containerType } from './container-type.ts'
import type { Container, LogEntry } from '../../contracts/containers.ts'
import { TroupeError } from '../../core/errors.ts'
import { stampToUnixTime } from './since.ts'
import type { Log } from '../../log.ts'
import { createEngine, type Engine, type LogQuery } from './engine.ts'
import { followLog, readLog, type ReadLog } from './log-reader.ts'

export interface LogOptions {
  /** Number of last lines; undefined means all (with `since`). */
  tail: number | undefined
  /** Unix time in seconds with a fraction, or undefined. */
  since: string | undefined
}

/** The container engine. Every call throws TroupeError engine_unavailable when there is none or it does not answer. */
export interface Containers {
  list: () => Promise<Container[]>
  /** By name, id, or a prefix of the id of at least 12 characters. @throws TroupeError not_found */
  find: (name: string) => Promise<Container>
  /**
   * In the order of their stamps; of a log above MAX_LOG_BYTES the newest lines.
   * @param signal - fires when nobody waits for them any more.
   * @throws TroupeError not_found
   */
  logs: (container: Container, options: LogOptions, signal?: AbortSignal) => Promise<LogEntry[]>
  /** Follows a log: an object-mode stream of LogEntry with back-pressure; destroying it releases the engine's request. */
  follow: (container: Container, options: LogOptions) => Promise<Readable>
}

const SHORTEST_ID = 12
// An engine that falls silent in the middle of a log is asked whether it lives.
const READ_SILENCE_MS = 2_500
const FOLLOW_SILENCE_MS = 30_000
// Long lines are several records for the engine: when too few lines came, ask for this many times as many.
const MORE_RECORDS = 8
// Records that may be written between counting the last lines and following them; older lines are missing beyond it.
const SLACK_RECORDS = 10_000

/** Where in a log to begin, in the engine's terms. */
type Begin = Omit<LogQuery, 'follow'>

type Reader = (begin: Begin) => Promise<ReadLog>

type Tail = LogOptions & { tail: number }

/** A log's last lines, and how many of the engine's records they were sought in. */
interface Past {
  entries: LogEntry[]
  records: number
}

/**
 * The containers of a Docker engine, asked anew for each call.
 * @param options.dockerHost - unix:///path, tcp://host:port; without one /var/run/docker.sock.
 * @throws ConfigError when dockerHost is no such address.
 */
export function createContainers(options: { dockerHost: string | undefined; log: Log }): Containers {
  const engine = createEngine(options)
  return {
    list: () => list(engine),
    find: (name) => find(engine, name),
    logs: async (container, { tail, since }, signal) => {
      if (tail === 0) return []
      const read = reader(engine, container, signal)
      if (tail !== undefined) return (await readTail(read, { tail, since })).entries
      return (await read({ tail: 'all', since })).entries
    },
    follow: async (container, { tail, since }) => {
      const begin: Begin = tail
        ? await whereTailBegins(reader(engine, container), { tail, since })
        : { tail: tail ?? 'all', since }
      const response = await engine.openLog(container, { ...begin, follow: true }, FOLLOW_SILENCE_MS)
      return followLog(response)
    },
  }
}

async function list(engine: Engine): Promise<Container[]> {
  const all = await engine.ask((docker, abortSignal) => docker.listContainers({ all: true, abortSignal }))
  return all.map(listed)
}

/** From the list: to inspect a container would bring the secrets in its environment into this process. */
async function find(engine: Engine, name: string): Promise<Container> {
  const all = await list(engine)
  const byId = (container: Container): boolean => name.length >= SHORTEST_ID && container.id.startsWith(name)
  const found = all.find((container) => container.name === name) ?? all.find(byId)
  if (found === undefined) throw new TroupeError('not_found', `There is no container ${name}.`)
  return found
}

function reader(engine: Engine, container: Container, signal?: AbortSignal): Reader {
  return async (begin) => {
    const response = await engine.openLog(container, { ...begin, follow: false }, READ_SILENCE_MS)
    if (signal !== undefined) addAbortSignal(signal, response)
    return readLog(response)
  }
}

/**
 * The last lines, where the engine counts records: one more is asked for, since the first may be the end of a long line,
 * and more of them until they hold enough lines.
 */
async function readTail(read: Reader, { tail, since }: Tail): Promise<Past> {
  for (let records = tail + 1; ; records *= MORE_RECORDS) {
    const log = await read({ tail: records, since })
    const isWhole = log.records < records
    const entries = isWhole ? log.entries : log.entries.filter((entry) => entry !== log.first)
    if (isWhole || log.cut || entries.length >= tail) return { entries: entries.slice(-tail), records }
  }
}

/** Where to begin to follow, so that exactly the last lines come first: at the oldest one's stamp. */
async function whereTailBegins(read: Reader, options: Tail): Promise<Begin> {
  const past = await readTail(read, options)
  const [oldest] = past.entries
  if (oldest === undefined) return { tail: 'all', since: options.since }
  return { tail: past.records + SLACK_RECORDS, since: stampToUnixTime(oldest.timestamp) ?? options.since }
}

function listed(found: Docker.ContainerInfo): Container {
  // Further names are links, written as /other/alias.
  const linked = (found.Names ?? []).map((path) => path.slice(1)).find((path) => !path.includes('/'))
  const { Id: id, Labels, State: status, Image: image } = found
  const name = linked ?? id.slice(0, SHORTEST_ID)
  const labels = Labels ?? {}
  const service = labels['com.docker.compose.service'] ?? name
  return {
    id,
    name,
    service_name: service,
    project_name: labels['com.docker.compose.project'] ?? '',
    type: containerType({ label: labels['troupe.type'], service, name, image }),
    status,
    image,
    created: new Date(found.Created * 1_000).toISOString(),
  }
}
