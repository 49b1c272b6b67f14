import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker'
import { expect } from 'chai'
import { readdirSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { WORKFLOW_CODE } from '../../worker/workflow-bundle.ts'
import { readHistory } from './history-file.ts'

const HISTORIES = new URL('../histories/', import.meta.url)

// What runs while a new version is rolled out goes on under it: each history must lead to the decisions that it holds.
// A change that is meant to break with them needs a version (`patched`), or new histories and nothing running.
describe('Histories that were recorded', function () {
  this.timeout(60_000)
  let workflowBundle: WorkflowBundleWithSourceMap

  before(async () => {
    quietly()
    workflowBundle = await bundleWorkflowCode({ ...WORKFLOW_CODE, logger: new DefaultLogger('WARN') })
  })

  const read = (file: string) => readHistory(new URL(file, HISTORIES))

  // One folder for each version that was released: what it had begun goes on under all later ones.
  for (const file of readdirSync(HISTORIES, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.json'),
  )) {
    it(`of ${file.replace('.json', '').replaceAll(/[-/]/g, ' ')} replay`, async () => {
      const { workflowId, history } = await read(file)
      await Worker.runReplayHistory({ workflowBundle }, history, workflowId)
    })
  }

  it('do not replay when the workflow would decide otherwise', async () => {
    const { workflowId, history } = await read(`${packageJson.version}/prompt-followed.json`)
    const scheduled = history.events?.flatMap((event) => event.activityTaskScheduledEventAttributes ?? [])[0]
    if (scheduled?.activityType == null) throw new Error('No activity was scheduled.')
    scheduled.activityType.name = 'somethingElse'
    const replayed = await Worker.runReplayHistory({ workflowBundle }, history, workflowId).catch(
      (error: unknown) => error as Error,
    )
    expect(replayed).to.have.property('name', 'DeterminismViolationError')
  })
})

/** Replaying workers say much. A process has one runtime, and another test may have made it. */
function quietly(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
    })
  } catch (error) {
    expect((error as Error).message).to.contain('already')
  }
}
