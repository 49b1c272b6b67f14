import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServerName } from '../../dev/binaries/program.ts'
import { startApi, startWorker, type ServiceProcess } from '../support/processes.ts'
import { startProviderServer, type ProviderRequest, type ProviderServer } from '../support/provider-server.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { startStack, type PrivateStack } from '../support/stack.ts'
import { mountDisk, type Disk } from './disks.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
/** Debian's libfaketime; without it no clock is stepped. */
const FAKETIME = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
]
const SERVERS: ServerName[] = ['temporal', 'mongod', 's3']
const ATTEMPTS = 20

/** A process of the service, or a server, that chaos may kill and stop. */
export interface Part {
  name: string
  kind: 'api' | 'worker' | 'server'
  readonly pid: number | undefined
  /** SIGKILL. */
  kill: () => Promise<void>
  /** SIGTERM; resolves when it is gone. */
  end: () => Promise<void>
  /** Starts it again; tried for as long as it takes. */
  start: () => Promise<void>
  /** It stands still, and is not told; until it is thawed. */
  freeze: () => Promise<void>
  thaw: () => Promise<void>
  /** Takes it off the network, where it can be: nobody is told. */
  isolate?: () => Promise<void>
  rejoin?: () => Promise<void>
}

/** A connection between two parts. */
export interface Wire {
  name: string
  /** The process at this end. */
  from: string
  proxy: Proxy
}

/** What chaos is made in, and what is needed to look at it. */
export interface Topology {
  /** How the servers are reached past the service. */
  env: Record<string, string>
  provider: ProviderServer
  parts: Part[]
  wires: Wire[]
  /** Addresses of the API processes, each behind a wire of its own; `direct` are those without. */
  urls: string[]
  direct: string[]
  disks: Partial<Record<ServerName, Disk>>
  /** Files that a worker's clock is read from: an offset in seconds. */
  clocks: { worker: string; file: string }[]
  /** The part that a process was, by what the process calls itself where agents count. */
  nameOf: (process: string) => string | undefined
  /** Where agents count. */
  effects: string
  /** Ends the processes of the service, keeps their logs; servers go on. */
  endService: () => Promise<void>
  stop: () => Promise<void>
}

export interface TopologyOptions {
  /** Everything of the run lies in it. */
  folder: string
  apis: number
  workers: number
}

/** The model's side of the agent `asker`: one round of its tool, then the answer. */
export function answerAsker({ body }: ProviderRequest) {
  const marker = String(body.messages.find(({ role }) => role === 'user')?.content)
  const isFirst = !body.messages.some(({ role }) => role === 'tool')
  return isFirst ? { toolCalls: [{ name: 'note', arguments: { marker } }] } : { text: `answered ${marker}` }
}

/** Servers, several API and worker processes, and a wire that can be cut between any two of them. */
export async function startTopology({ folder, apis, workers }: TopologyOptions): Promise<Topology> {
  const effects = join(folder, 'effects')
  const dataDir = join(folder, 'servers')
  await mkdir(effects, { recursive: true })
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const each of undo.splice(0).toReversed()) await each()
  }
  try {
    undo.push(() => rm(dataDir, { recursive: true, force: true }))
    const disks: Topology['disks'] = {}
    for (const server of SERVERS) {
      const disk = await mountDisk(join(dataDir, server))
      if (disk === undefined) continue
      disks[server] = disk
      undo.push(disk.unmount)
    }
    const stack = await startStack({ dataDir })
    undo.push(stack.stop)
    const provider = await startProviderServer(answerAsker)
    undo.push(provider.close)
    const wires: Wire[] = []
    const wire = async (from: string, to: string, port: number): Promise<number> => {
      const proxy = await startProxy(port)
      undo.push(proxy.close)
      wires.push({ name: `${from}-${to}`, from, proxy })
      return proxy.port
    }
    const env: Record<string, string> = {
      ...(stack.env as Record<string, string>),
      MONGODB_DATABASE: 'chaos',
      TEST_FOLDER: effects,
      OPENAI_COMPATIBLE_API_KEY: 'test-key',
      // Small, so that the object store has something to do.
      RESPONSE_OFFLOAD_BYTES: '20000',
    }
    const wired = async (from: string): Promise<Record<string, string>> => {
      const { temporal, mongod, s3 } = stack.servers
      const providerPort = Number(new URL(provider.url).port)
      return {
        ...env,
        TEMPORAL_ADDRESS: `127.0.0.1:${await wire(from, 'temporal', temporal.port)}`,
        MONGODB_URI: `mongodb://127.0.0.1:${await wire(from, 'mongod', mongod.port)}/?directConnection=true`,
        S3_ENDPOINT: `http://127.0.0.1:${await wire(from, 's3', s3.port)}`,
        OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${await wire(from, 'provider', providerPort)}/v1`,
      }
    }
    const library = FAKETIME.find((path) => existsSync(path))
    const clocks: Topology['clocks'] = []
    const clockOf = async (worker: string): Promise<Record<string, string>> => {
      if (library === undefined) return {}
      const file = join(folder, `${worker}.clock`)
      await writeFile(file, '+0')
      clocks.push({ worker, file })
      return {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }
    }
    const service: { name: string; process: ServiceProcess }[] = []
    const urls: string[] = []
    const direct: string[] = []
    const startings: Promise<void>[] = []
    for (let index = 0; index < apis; index += 1) {
      const name = `api-${index}`
      const environment = await wired(name)
      startings.push(
        startApi({ env: environment }).then(async (api) => {
          service.push({ name, process: api })
          direct.push(api.url)
          urls.push(`http://127.0.0.1:${await wire('client', name, api.port)}`)
        }),
      )
    }
    for (let index = 0; index < workers; index += 1) {
      const name = `worker-${index}`
      // The last one serves another pool.
      const isFar = index === workers - 1
      const agents = {
        AGENTS_DIR: join(FOLDER, isFar ? 'far-agents' : 'agents'),
        WORKER_POOL: isFar ? 'far' : 'default',
      }
      const environment = { ...(await wired(name)), ...agents, ...(await clockOf(name)) }
      startings.push(startWorker({ env: environment }).then((process) => void service.push({ name, process })))
    }
    const endService = async () => {
      for (const { name, process } of service.splice(0)) {
        await process.stop()
        await writeFile(join(folder, `${name}.log`), await process.logs())
      }
    }
    undo.push(endService)
    const started = await Promise.allSettled(startings)
    const failed = started.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    const names = new Map<number, string>()
    const parts = [
      ...service.map(({ name, process }) => partOf(name, process, names)),
      ...SERVERS.map((name) => serverPart(name, stack)),
    ].toSorted((one, other) => (one.name < other.name ? -1 : 1))
    const nameOf = (process: string) => names.get(Number(process.split(':')[1]))
    return { env, provider, parts, wires, urls, direct, disks, clocks, nameOf, effects, endService, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function partOf(name: string, service: ServiceProcess, names: Map<number, string>): Part {
  const note = () => void names.set(service.pid ?? 0, name)
  note()
  return {
    name,
    kind: name.startsWith('api') ? 'api' : 'worker',
    get pid() {
      return service.pid
    },
    kill: () => service.kill9(),
    end: () => endGently(service),
    start: () => persistently(() => service.restart()).then(note),
    ...standstill(service),
  }
}

function serverPart(name: ServerName, { servers }: PrivateStack): Part {
  const server = servers[name]
  return {
    name,
    kind: 'server',
    get pid() {
      return server.pid
    },
    kill: () => server.kill(),
    end: () => endGently(server),
    start: () => persistently(() => server.restart()),
    ...standstill(server),
  }
}

function standstill(of: { readonly pid: number | undefined }): Pick<Part, 'freeze' | 'thaw'> {
  let frozen: number | undefined
  return {
    freeze: async () => {
      frozen = of.pid
      if (frozen !== undefined) process.kill(frozen, 'SIGSTOP')
    },
    thaw: async () => void (frozen !== undefined && process.kill(frozen, 'SIGCONT')),
  }
}

/** SIGTERM, and SIGKILL after what an operator would give it. */
async function endGently(process_: { readonly pid: number | undefined }): Promise<void> {
  const { pid } = process_
  if (pid === undefined) return
  process.kill(pid, 'SIGTERM')
  const until = Date.now() + 30_000
  while (process_.pid === pid) {
    if (Date.now() > until) process.kill(pid, 'SIGKILL')
    await sleep(50)
  }
}

/** A process that is started while its servers are away, or its disk is full, may give up. */
export async function persistently(start: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await sleep(2_000)
    }
  }
}
