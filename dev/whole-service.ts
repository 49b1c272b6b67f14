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
  /** Absolute path. */
  dataDir: string
  environment: NodeJS.ProcessEnv
  host: string
  /** 0 for any free one. */
  port: number
  /** The command this is, for others that want the same data folder. */
  command: string
  say: Say
}

/** The servers, an API process and a worker process. */
export interface WholeService {
  url: string
  /** Names of the agents that answer; undefined where only keys of a file may ask for them. */
  agents: string[] | undefined
  /** Temporal's web UI, where it runs here. */
  temporalUi: string | undefined
  stop: () => Promise<void>
}

/**
 * Starts everything on this machine and waits until prompts can be answered; what dies later is started again.
 * @throws Error with a sentence for people; what was started is stopped then.
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

/** Two processes on one machine: the worker's admin port is the one after the API's. */
function withNextAdminPort(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const port = Number(environment.ADMIN_PORT)
  return port > 0 ? { ...environment, ADMIN_PORT: String(port + 1) } : environment
}

/** Names of the agents that a service hosts now; undefined where the environment has no key that may ask. */
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

/** The address under which this machine reaches a host that may stand for all of its addresses. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
