import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))
/**
 * Every bundle contains the interceptors, traced or not, because a workflow that was started with a trace must carry it
 * in every worker.
 */
const workflowInterceptorModules = [fileURLToPath(new URL('../observability/workflow-trace.ts', import.meta.url))]

/**
 * The bundle's parts. The modules hold no state, so that all workflows of a sandbox can share them. Evaluating them for
 * each workflow would take a fifth of a worker's cost for a short workflow.
 */
export const WORKFLOW_CODE = {
  workflowsPath,
  workflowInterceptorModules,
  preloadModules: [workflowsPath, ...workflowInterceptorModules],
}

/** Folders whose code is in the bundle. */
const FOLDERS = ['core', 'observability', 'workflows']

/** Path of the bundle of the current workflow code; its name contains a hash of the sources. */
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
 * The path of the workflow bundle. A missing bundle is first built in a separate process, so that the worker does not
 * keep the bundler's memory.
 */
export async function workflowBundle(): Promise<string> {
  const path = await bundlePath()
  if (!existsSync(path)) await promisify(execFile)(process.execPath, [join(root, 'worker/build-workflows.ts')])
  return path
}
