import { bundleWorkflowCode } from '@temporalio/worker'
import { expect } from 'chai'
import { WORKFLOW_CODE } from '../../worker/workflow-bundle.ts'

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
    const { code } = await bundleWorkflowCode({ ...WORKFLOW_CODE, logger })
    expect(said).to.deep.equal([])
    for (const type of ['prompt', 'batch', 'reconcile']) expect(code).to.contain(type)
  })
})
