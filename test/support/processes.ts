import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManagedProcess, type ProcessSpec } from '../../dev/managed-process.ts'
import { freePort } from '../../dev/ports.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'
import { apiSpec, workerSpec, type ServiceProcessOptions } from '../../dev/service-processes.ts'

/** A real process of the service. */
export interface ServiceProcess {
  /** Pid while it runs. */
  readonly pid: number | undefined
  /** All it logged so far, JSON lines. */
  logs: () => Promise<string>
  /** SIGKILL; resolves when it is gone. */
  kill9: () => Promise<void>
  /** Starts it again after it ended: same port, same environment. */
  restart: () => Promise<void>
  /** SIGTERM; resolves when it is gone. */
  stop: () => Promise<void>
}

export interface ApiProcess extends ServiceProcess {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string
  /** The same for WebSockets: `ws://127.0.0.1:<port>`. */
  wsUrl: string
  port: number
}

export interface ProcessOptions {
  /** Servers and settings, as `isolated(sharedStack())` gives them; nothing else of this process's environment is passed on. */
  env: Record<string, string>
}

const running = new Set<ManagedProcess>()

/** Starts `api/main.ts` and waits until it answers; on a free port unless one is given. */
export async function startApi({ env, port: wanted }: ProcessOptions & { port?: number }): Promise<ApiProcess> {
  const port = wanted ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const service = await startService('api', { ...env, HOST: '127.0.0.1', PORT: String(port) }, (options) =>
    apiSpec({ ...options, url }),
  )
  return Object.assign(service, { url, wsUrl: `ws://127.0.0.1:${port}`, port })
}

/** Starts `worker/main.ts` and waits until it polls. `pool` and `agentsDir` win over the environment's. */
export async function startWorker(
  options: ProcessOptions & { agentsDir?: string; pool?: string },
): Promise<ServiceProcess> {
  const env = { ...options.env }
  if (options.agentsDir !== undefined) env.AGENTS_DIR = options.agentsDir
  if (options.pool !== undefined) env.WORKER_POOL = options.pool
  return startService('worker', env, workerSpec)
}

/** Processes that tests have left running, by name and pid. */
export function leftProcesses(): string[] {
  return [...running].filter(({ pid }) => pid !== undefined).map(({ spec, pid }) => `${spec.name} (pid ${pid})`)
}

/** The ends of the logs of all processes that run, to be shown beside a failed test. */
export function recentLogs(lines = 30): string {
  return [...running].map((managed) => `── ${managed.spec.name} ──\n${managed.logTail(lines)}`).join('\n')
}

async function startService(
  name: string,
  env: Record<string, string>,
  specOf: (options: ServiceProcessOptions) => ProcessSpec,
): Promise<ServiceProcess> {
  // A folder of its own, so that nothing is taken from a stack.env that happens to lie around.
  const dataDir = mkdtempSync(join(tmpdir(), `troupe-${name}-`))
  const logFile = join(dataDir, `${name}.log`)
  let closedLog: string | undefined
  const logs = async () => closedLog ?? (await readFile(logFile, 'utf8'))
  const managed = new ManagedProcess(
    specOf({ environment: { ...plainEnvironment(), DATA_DIR: dataDir, ...env }, logFile }),
  )
  const close = async (end: Promise<void>) => {
    await end
    running.delete(managed)
    closedLog = await logs()
    rmSync(dataDir, { recursive: true, force: true })
  }
  running.add(managed)
  try {
    await managed.start()
  } catch (error) {
    await close(managed.kill())
    throw error
  }
  return {
    get pid() {
      return managed.pid
    },
    logs,
    kill9: () => managed.kill(),
    restart: () => managed.start(),
    stop: () => close(managed.stop()),
  }
}
