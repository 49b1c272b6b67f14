import { join } from 'node:path'
import { lockDataDir } from './data-dir.ts'
import { startStack } from './embedded-stack.ts'
import { ManagedProcess } from './managed-process.ts'
import { freePort, isFree } from './ports.ts'
import { portOwner } from './port-owner.ts'
import { seconds, type Say } from './say.ts'
import { apiSpec, keyHeader, workerSpec } from './service-processes.ts'
import { supervise } from './supervise.ts'

export interface WholeServiceOptions {
  /** Absolute path of the data folder. */
  dataDir: string
  environment: NodeJS.ProcessEnv
  host: string
  /** 0 selects a free port. */
  port: number
  /** Name of this command in messages to others that need the same data folder. */
  command: string
  say: Say
}

/** The servers, an API process and a worker process. */
export interface WholeService {
  url: string
  /** Names of the hosted agents; undefined if only keys of a file may list them. */
  agents: string[] | undefined
  /** URL of Temporal's web UI, if it runs here. */
  temporalUi: string | undefined
  stop: () => Promise<void>
}

/**
 * Starts all servers and processes on this machine and waits until prompts can run; restarts processes that die later.
 * @throws Error with a message for users; stops the started processes then.
 */
export async function startWholeService(options: WholeServiceOptions): Promise<WholeService> {
  const { dataDir, host, say, command } = options
  if (options.port !== 0 && !(await isFree(options.port, host))) {
    const owner = await portOwner(options.port)
    const other = options.port + 1
    throw new Error(`Port ${options.port} is taken by ${owner}. Stop it, or choose another: PORT=${other} ${command}`)
  }
  const lock = await lockDataDir(dataDir, command, say)
  const stops: (() => Promise<void>)[] = [async () => lock.release()]
  const stop = async () => {
    for (const undo of stops.splice(0).toReversed()) await undo()
  }
  try {
    const stack = await startStack({ dataDir, given: options.environment, say, supervised: true, ui: true })
    stops.push(stack.stop)
    const port = options.port === 0 ? await freePort() : options.port
    const url = `http://${reachable(host)}:${port}`
    const environment = {
      ...options.environment,
      ...stack.environment,
      DATA_DIR: dataDir,
      HOST: host,
      PORT: String(port),
    }
    const logFile = (name: string) => join(dataDir, 'logs', `${name}.log`)
    const specs = [
      apiSpec({ environment, logFile: logFile('api'), url }),
      workerSpec({ environment: withNextAdminPort(environment), logFile: logFile('worker') }),
    ]
    const processes = specs.map((spec) => new ManagedProcess(spec))
    stops.push(async () => void (await Promise.all(processes.map((managed) => managed.stop()))))
    await Promise.all(processes.map((managed) => startProcess(managed, say)))
    const supervisions = processes.map((managed) => supervise(managed, say))
    stops.push(async () => supervisions.forEach((supervision) => supervision.end()))
    return { url, agents: await agentNames(url, environment), temporalUi: stack.environment.TEMPORAL_UI, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The admin port of the worker is the one after that of the API, because both run on one machine. */
function withNextAdminPort(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const port = Number(environment.ADMIN_PORT)
  return port > 0 ? { ...environment, ADMIN_PORT: String(port + 1) } : environment
}

/** Names of the agents of a service; undefined if the environment has no key to list them. */
export async function agentNames(url: string, environment: NodeJS.ProcessEnv): Promise<string[] | undefined> {
  const response = await fetch(`${url}/api/agents`, { headers: keyHeader(environment) })
  if (response.status === 401) return undefined
  if (!response.ok) throw new Error(`${url}/api/agents answered ${response.status}: ${await response.text()}`)
  const { agents } = (await response.json()) as { agents: { name: string; status: string }[] }
  return agents.filter(({ status }) => status === 'active').map(({ name }) => name)
}

async function startProcess(managed: ManagedProcess, say: Say): Promise<void> {
  const startedAt = Date.now()
  await managed.start()
  say(`${managed.spec.name.padEnd(9)} ready (pid ${managed.pid}, ${seconds(startedAt)})`)
}

/** The local address of a host that may be a wildcard address. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
