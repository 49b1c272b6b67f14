import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where the bundle lies. */
export const BUNDLE_PATH = join(root, 'dist/workflows.js')

/** What the bundle is made of; a change there makes it old. */
const SOURCES = ['workflows', 'observability', 'package-lock.json']

/**
 * The path of an up-to-date workflow bundle. An old or missing one is built first, in a process of its own: the bundler's
 * memory is not the worker's to keep.
 */
export async function workflowBundle(): Promise<string> {
  if (!(await isFresh())) await promisify(execFile)(process.execPath, [join(root, 'worker/build-workflows.ts')])
  return BUNDLE_PATH
}

async function isFresh(): Promise<boolean> {
  const built = await changedAt(BUNDLE_PATH)
  const sources = await Promise.all(SOURCES.map((source) => newestIn(join(root, source))))
  return built > Math.max(...sources)
}

async function newestIn(path: string): Promise<number> {
  const names = await readdir(path).catch(() => [])
  const times = await Promise.all([path, ...names.map((name) => join(path, name))].map(changedAt))
  return Math.max(...times)
}

/** Time of the last change in milliseconds; 0 for what does not exist. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
