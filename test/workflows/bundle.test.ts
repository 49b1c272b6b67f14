import { bundleWorkflowCode } from '@temporalio/worker'
import { expect } from 'chai'
import { fileURLToPath } from 'node:url'

describe('The workflow bundle', function () {
  this.timeout(60_000)

  it('builds without a warning: nothing in it does I/O', async () => {
    const said: string[] = []
    const say = (level: string) => (message: string) => said.push(`${level} ${message}`)
    const logger = {
      log: (level: string, message: string) => say(level)(message),
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: say('warn'),
      error: say('error'),
    }
    const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))
    const { code } = await bundleWorkflowCode({ workflowsPath, logger })
    expect(said).to.deep.equal([])
    for (const type of ['prompt', 'batch', 'reconcile']) expect(code).to.contain(type)
  })
})
