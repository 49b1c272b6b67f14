import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { bundlePath, WORKFLOW_CODE } from './workflow-bundle.ts'

/** `npm run build`: bundles the workflows once, so that production workers start without a bundler's second and memory. */
const { code } = await bundleWorkflowCode({ ...WORKFLOW_CODE, logger: new DefaultLogger('WARN') })
const path = await bundlePath()
await mkdir(dirname(path), { recursive: true })
// Renamed into place: a worker that starts meanwhile reads a whole bundle, the old one or this.
const unfinished = `${path}.${process.pid}`
await writeFile(unfinished, code)
await rename(unfinished, path)
process.stdout.write(`${path} (${Math.round(code.length / 1024)} KiB)\n`)
