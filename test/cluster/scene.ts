import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from '../support/processes.ts'
import { eventually, request, untilEnded, type Answer } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'

/** Folder of the agents of one pool. */
export type AgentFolder = 'general' | 'special'

/** Several processes of one service, on a database of their own. */
export interface ClusterScene {
  env: Record<string, string>
  apis: ApiProcess[]
  workers: ServiceProcess[]
  store: Store
  addWorker: (folder?: AgentFolder) => Promise<ServiceProcess>
  addApi: () => Promise<ApiProcess>
  /** Submits prompts, one after the other, each to the next API. @returns their ids. */
  prompts: (count: number, agent: string, inputs?: Record<string, unknown>) => Promise<string[]>
  ended: (id: string) => Promise<Answer>
  /** Waits until agents of all these jobs have begun, and their starts are recorded: a cancel may come before that. */
  begun: (ids: string[]) => Promise<void>
  counted: (id: string) => Promise<string[]>
  open: (gate: string) => Promise<void>
  stop: () => Promise<void>
}

export interface SceneOptions {
  apis: number
  workers: number
  /** Servers to use instead of the shared ones. */
  servers?: Record<string, string>
}

export async function startClusterScene({ apis, workers, servers }: SceneOptions): Promise<ClusterScene> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-cluster-test-'))
  const env: Record<string, string> = { ...isolated(servers ?? sharedStack()), TEST_FOLDER: folder }
  const scene = { apis: [] as ApiProcess[], workers: [] as ServiceProcess[] }
  // The test's own TLS variables are those of its servers: the driver reads them from the address.
  const store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
  const counted = async (id: string) => {
    const text = await readFile(join(folder, `${id}.count`), 'utf8').catch(() => '')
    return text.split('\n').filter((line) => line !== '')
  }
  const addWorker = async (agents: AgentFolder = 'general') => {
    const pool = `${env.WORKER_POOL}-${agents}`
    const agentsDir = fileURLToPath(new URL(`./agents/${agents}`, import.meta.url))
    const worker = await startWorker({ env, agentsDir, pool })
    scene.workers.push(worker)
    return worker
  }
  const addApi = async () => {
    const api = await startApi({ env })
    scene.apis.push(api)
    return api
  }
  const stop = async () => {
    await Promise.all([...scene.apis, ...scene.workers].map((started) => started.stop()))
    await store.db.dropDatabase()
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
  const url = (turn: number) => scene.apis[turn % scene.apis.length]?.url ?? ''
  await Promise.all([...Array.from({ length: apis }, addApi), ...Array.from({ length: workers }, () => addWorker())])
  return {
    ...scene,
    ...{ env, store, addWorker, addApi, counted, stop },
    prompts: async (count, agent, inputs = {}) => {
      const ids: string[] = []
      for (let turn = 0; turn < count; turn += 1) {
        const { status, body } = await request(url(turn), 'POST', '/api/prompts', { prompt_name: agent, inputs })
        if (status !== 200) throw new Error(`A prompt was refused: ${JSON.stringify(body)}`)
        ids.push(body.prompt_id)
      }
      return ids
    },
    ended: (id) => untilEnded({ request: (method, path) => request(url(0), method, path) }, id, 120_000),
    begun: async (ids) => {
      const counts = () => Promise.all(ids.map(counted))
      await eventually(counts, (lines) => lines.every((own) => own.includes('begin')), 120_000)
      const started = { job_id: { $in: ids }, event_type: 'task_start' } as const
      await eventually(
        () => store.traces.distinct('job_id', started),
        (jobs) => jobs.length === ids.length,
      )
    },
    open: (gate) => writeFile(join(folder, `${gate}.open`), ''),
  }
}
