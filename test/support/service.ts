import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { startApi, startWorker, type ApiProcess, type ServiceProcess } from './processes.ts'
import { isolated, sharedStack } from './stack.ts'

/** Where the agents of the tests are. */
export const TEST_AGENTS = fileURLToPath(new URL('./agents', import.meta.url))

/** A running service with the test agents: one API, one worker, a database and a pool of its own. */
export interface TestService {
  env: Record<string, string>
  api: ApiProcess
  worker: ServiceProcess
  store: Store
  /** Folder that test and agents share. */
  folder: string
  /** The lines that the agents of a job counted. */
  counted: (jobId: string) => Promise<string[]>
  /** Opens a gate that an agent waits at. */
  open: (gate: string) => Promise<void>
  request: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  stop: () => Promise<void>
}

export interface Answer {
  status: number
  headers: Headers
  // Tests look into answers freely.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

export interface TestServiceOptions {
  env?: Record<string, string>
  /** Servers to use instead of the shared ones. */
  stack?: Record<string, string>
  agentsDir?: string
}

/** Starts a service on the shared servers, or on those given. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-agents-'))
  const servers = isolated((options.stack as never) ?? sharedStack())
  const env: Record<string, string> = {
    ...servers,
    TEST_FOLDER: folder,
    AGENTS_DIR: options.agentsDir ?? TEST_AGENTS,
    ...options.env,
  }
  const [api, worker] = await startBoth(env)
  const store = connectStore({ uri: env.MONGODB_URI ?? '', database: env.MONGODB_DATABASE ?? '', appName: 'test' })
  return {
    env,
    api,
    worker,
    store,
    folder,
    counted: async (jobId) => {
      const text = await readFile(join(folder, `${jobId}.count`), 'utf8').catch(() => '')
      return text.split('\n').filter((line) => line !== '')
    },
    open: (gate) => writeFile(join(folder, `${gate}.open`), ''),
    request: (method, path, body, headers) => request(api.url, method, path, body, headers),
    stop: async () => {
      await Promise.all([api.stop(), worker.stop()])
      // On servers of a test's own it may be gone before; its data goes with them.
      await store.db.dropDatabase().catch(() => undefined)
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** One that does not come up takes the other down with it. */
async function startBoth(env: Record<string, string>): Promise<[ApiProcess, ServiceProcess]> {
  const [api, worker] = await Promise.allSettled([startApi({ env }), startWorker({ env })])
  if (api.status === 'fulfilled' && worker.status === 'fulfilled') return [api.value, worker.value]
  const started = [api, worker].flatMap((start) => (start.status === 'fulfilled' ? [start.value.stop()] : []))
  await Promise.all(started)
  throw [api, worker].find((start) => start.status === 'rejected')?.reason
}

/** One HTTP request with JSON both ways; an answer that is no JSON is given as text. */
export async function request(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  let parsed: unknown = text
  try {
    parsed = JSON.parse(text)
  } catch {
    // Stays text.
  }
  return { status: response.status, headers: response.headers, body: parsed }
}

/** Asks again and again until the answer is there; fails with the last one after `withinMs`. */
export async function eventually<Result>(
  ask: () => Promise<Result>,
  holds: (result: Result) => boolean,
  withinMs = 30_000,
): Promise<Result> {
  const until = Date.now() + withinMs
  for (;;) {
    const result = await ask()
    if (holds(result)) return result
    if (Date.now() > until) throw new Error(`Did not come true within ${withinMs} ms; last: ${JSON.stringify(result)}`)
    await sleep(50)
  }
}

/** Polls a prompt until its status is final. */
export function untilEnded(service: Pick<TestService, 'request'>, id: string, withinMs = 60_000): Promise<Answer> {
  return eventually(
    () => service.request('GET', `/api/prompts/${id}`),
    ({ body }) => body.status !== 'running' && (body.status !== 'canceled' || body.completed_at !== null),
    withinMs,
  )
}
