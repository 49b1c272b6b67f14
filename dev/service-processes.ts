import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ProcessSpec } from './managed-process.ts'

const ROOT = join(import.meta.dirname, '..')
/** Compiled code, kept by Node: with it a process starts at half the cost, and never loads what strips types (25 MB). */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled')
/**
 * A small young generation, and a first full collection at 48 MB instead of when a quarter of the machine is used.
 * (`--optimize-for-size` saves more, and costs a fifth to a third of CPU time.)
 */
const MEMORY_OPTIONS = ['--max-semi-space-size=4', '--initial-old-space-size=48']
/**
 * By how much a heap may grow before it is collected again; V8 lets it quadruple. A worker pays nothing that shows, an API that
 * sends long lists does.
 */
const HEAP_GROWTH_PERCENT = { api: 150, worker: 100 }
/** What a process loads before its own code. */
const PRELOADS = { api: [], worker: ['--import', pathToFileURL(join(ROOT, 'worker/workflow-threads.mjs')).href] }
/** Few arenas for the many threads. */
const MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '2' }

export interface ServiceProcessOptions {
  /** The whole environment of the process. */
  environment: NodeJS.ProcessEnv
  logFile: string
}

/**
 * An API process: ready when its health endpoint answers at `url`. One that refuses the answer for want of a key is ready, too: keys
 * that are in a file are known here no better than to anybody else.
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

/** A worker process: ready when it says so in its log. */
export function workerSpec({ environment, logFile }: ServiceProcessOptions): ProcessSpec {
  // A restart appends to the same log: it is ready when the line is there once more.
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

/** The header with the first of the service's keys, where it has any. */
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
    arguments: [
      ...MEMORY_OPTIONS,
      `--heap-growing-percent=${HEAP_GROWTH_PERCENT[name]}`,
      ...PRELOADS[name],
      join(ROOT, name, 'main.ts'),
    ],
    environment: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...MEMORY_SETTINGS, ...environment },
    workingDirectory: ROOT,
    logFile,
    startTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
  }
}
