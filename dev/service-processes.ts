import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessSpec } from './managed-process.ts'

const ROOT = join(import.meta.dirname, '..')
/** Node's compile cache: it halves the cost of a start, and avoids loading the type stripper (25 MB). */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled')
/**
 * A small young generation, and a first full collection at 48 MB instead of at a quarter of the memory.
 * (`--optimize-for-size` saves more memory, but costs a fifth to a third more CPU time.)
 */
const MEMORY_OPTIONS = ['--max-semi-space-size=4', '--initial-old-space-size=48']
/**
 * Growth factor of the heap between full collections; the default of V8 is up to four. The cost is not measurable in a worker, but in an
 * API that sends long lists.
 */
const HEAP_GROWTH_PERCENT = { api: 150, worker: 100 }
/** Limits malloc arenas, because the processes have many threads. */
const MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '2' }

export interface ServiceProcessOptions {
  /** The whole environment of the process. */
  environment: NodeJS.ProcessEnv
  logFile: string
}

/**
 * An API process: ready when its health endpoint responds at `url`. A rejection because of a missing key also counts as ready,
 * because keys in a file are unknown here.
 */
export function apiSpec({ environment, logFile, url }: ServiceProcessOptions & { url: string }): ProcessSpec {
  return {
    ...spec('api', { environment, logFile }),
    answers: async () => {
      const response = await fetch(`${url}/api/health`, {
        headers: keyHeader(environment),
        signal: AbortSignal.timeout(5_000),
      })
      if (!response.ok && response.status !== 401)
        throw new Error(`health answered ${response.status}: ${await response.text()}`)
    },
  }
}

/** A worker process: ready when its log says so. */
export function workerSpec({ environment, logFile }: ServiceProcessOptions): ProcessSpec {
  // A restart appends to the same log, so the line must appear once more.
  let seen = 0
  return {
    ...spec('worker', { environment, logFile }),
    answers: async () => {
      const ready = (await readFile(logFile, 'utf8')).split('"msg":"worker ready"').length - 1
      if (ready <= seen) throw new Error('the worker does not poll yet')
      seen = ready
    },
  }
}

/** The header with the first key of the service, if it has any. */
export function keyHeader({ SERVICE_API_KEY }: NodeJS.ProcessEnv): Record<string, string> {
  const key = SERVICE_API_KEY?.split(',')
    .map((part) => part.trim())
    .find(Boolean)
  return key === undefined ? {} : { 'x-api-key': key }
}

function spec(name: 'api' | 'worker', { environment, logFile }: ServiceProcessOptions): Omit<ProcessSpec, 'answers'> {
  return {
    name,
    command: process.execPath,
    arguments: [...MEMORY_OPTIONS, `--heap-growing-percent=${HEAP_GROWTH_PERCENT[name]}`, join(ROOT, name, 'main.ts')],
    environment: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...MEMORY_SETTINGS, ...environment },
    workingDirectory: ROOT,
    logFile,
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
  }
}
