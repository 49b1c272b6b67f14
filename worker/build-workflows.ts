import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { workflowInterceptorModules } from '../observability/workflow-interceptors.ts'
import { bundlePath } from './workflow-bundle.ts'

/** `npm run build`: bundles the workflows once, so that production workers start without a bundler's second and memory. */
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  workflowInterceptorModules,
  logger: new DefaultLogger('WARN'),
})
const path = await bundlePath()
await mkdir(dirname(path), { recursive: true })
// Renamed into place: a worker that starts meanwhile reads a whole bundle, the old one or this.
const unfinished = `${path}.${process.pid}`
await writeFile(unfinished, code)
await rename(unfinished, path)
process.stdout.write(`${path} (${Math.round(code.length / 1024)} KiB)\n`)
