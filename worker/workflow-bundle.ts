import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))
/** In every bundle, traced or not: what is started with a trace somewhere must carry it wherever it runs. */
const workflowInterceptorModules = [fileURLToPath(new URL('../observability/workflow-trace.ts', import.meta.url))]

/**
 * What the bundle is made of. Its modules hold no state, so all workflows of a sandbox share them: to evaluate them anew for each
 * workflow is a fifth of what a short one costs a worker.
 */
export const WORKFLOW_CODE = {
  workflowsPath,
  workflowInterceptorModules,
  preloadModules: [workflowsPath, ...workflowInterceptorModules],
}

/** Folders whose code is in the bundle. */
const FOLDERS = ['core', 'observability', 'workflows']

/** Path of the bundle of the workflows as they are now: its name is a hash of what it is made of. */
export async function bundlePath(): Promise<string> {
  const folders = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true })
      return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
    }),
  )
  const hash = createHash('sha256')
  for (const file of [...folders.flat().sort(), 'worker/workflow-bundle.ts', 'package-lock.json']) {
    hash.update(`${file}\n`).update(await readFile(join(root, file)))
  }
  return join(root, `dist/workflows-${hash.digest('hex').slice(0, 16)}.js`)
}

/**
 * The path of the workflow bundle. A missing one is built first, in a process of its own: the bundler's memory is not the
 * worker's to keep.
 */
export async function workflowBundle(): Promise<string> {
  const path = await bundlePath()
  if (!existsSync(path)) await promisify(execFile)(process.execPath, [join(root, 'worker/build-workflows.ts')])
  return path
}
