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
  /** Number of last lines; undefined means all lines after `since`. */
  tail: number | undefined
  /** Unix time in seconds with a fraction, or undefined. */
  since: string | undefined
}

/** The containers of an engine. Every call throws TroupeError engine_unavailable when the engine does not respond. */
export interface Containers {
  list: () => Promise<Container[]>
  /** Finds a container by name, id, or the first characters of the id (at least 12). @throws TroupeError not_found */
  find: (name: string) => Promise<Container>
  /**
   * Reads lines in the order of their timestamps; the newest lines if the log is larger than MAX_LOG_BYTES.
   * @param signal - fires when the client has disconnected.
   * @throws TroupeError not_found
   */
  logs: (container: Container, options: LogOptions, signal?: AbortSignal) => Promise<LogEntry[]>
  /** Follows a log: an object-mode stream of LogEntry with back-pressure. Destroying it ends the request to the engine. */
  follow: (container: Container, options: LogOptions) => Promise<Readable>
}

const SHORTEST_ID = 12
// Time without data after which the engine is pinged.
const READ_SILENCE_MS = 2_500
const FOLLOW_SILENCE_MS = 30_000
// The engine counts a long line as several records; if too few lines arrive, request this many times as many.
const MORE_RECORDS = 8
// Maximum number of records written between counting the last lines and following them; with more, older lines are missing.
const SLACK_RECORDS = 10_000

/** Start position in a log, in the terms of the engine. */
type Begin = Omit<LogQuery, 'follow'>

type Reader = (begin: Begin) => Promise<ReadLog>

type Tail = LogOptions & { tail: number }

/** The last lines of a log, and how many records of the engine were searched for them. */
interface Past {
  entries: LogEntry[]
  records: number
}

/**
 * The containers of a Docker engine; every call queries the engine.
 * @param options.dockerHost - unix:///path, tcp://host:port; without one /var/run/docker.sock.
 * @throws ConfigError when dockerHost is not such an address.
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
  return all.map(toContainer)
}

/** Searches the list, because inspecting a container would load the secrets of its environment into this process. */
async function find(engine: Engine, name: string): Promise<Container> {
  const all = await list(engine)
  const byId = (container: Container): boolean => name.length >= SHORTEST_ID && container.id.startsWith(name)
  const found = all.find((container) => container.name === name) ?? all.find(byId)
  if (found === undefined)
    throw new TroupeError(
      'not_found',
      `Container ${name} does not exist; GET /api/logs/containers lists all containers.`,
    )
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
 * The last lines. The engine counts records, so this requests one more, since the first may be the end of a long line,
 * and repeats with more records until there are enough lines.
 */
async function readTail(read: Reader, { tail, since }: Tail): Promise<Past> {
  for (let records = tail + 1; ; records *= MORE_RECORDS) {
    const log = await read({ tail: records, since })
    const isWhole = log.records < records
    const entries = isWhole ? log.entries : log.entries.filter((entry) => entry !== log.first)
    if (isWhole || log.cut || entries.length >= tail) return { entries: entries.slice(-tail), records }
  }
}

/** Where to start following so that the stream starts with exactly the last lines: at the timestamp of the oldest. */
async function whereTailBegins(read: Reader, options: Tail): Promise<Begin> {
  const past = await readTail(read, options)
  const [oldest] = past.entries
  if (oldest === undefined) return { tail: 'all', since: options.since }
  return { tail: past.records + SLACK_RECORDS, since: stampToUnixTime(oldest.timestamp) ?? options.since }
}

function toContainer(found: Docker.ContainerInfo): Container {
  // Further names are links of the form /other/alias.
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
