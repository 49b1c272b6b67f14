import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { bundlePath, WORKFLOW_CODE } from './workflow-bundle.ts'

/**
 * `npm run build`: bundles the workflows once, which saves production workers the bundler's time and memory at start.
 */
const { code } = await bundleWorkflowCode({ ...WORKFLOW_CODE, logger: new DefaultLogger('WARN') })
const path = await bundlePath()
await mkdir(dirname(path), { recursive: true })
// The rename is atomic: a worker that starts during the build reads a complete bundle, the old or the new one.
const unfinished = `${path}.${process.pid}`
await writeFile(unfinished, code)
await rename(unfinished, path)
process.stdout.write(`${path} (${Math.round(code.length / 1024)} KiB)\n`)
