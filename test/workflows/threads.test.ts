import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { connectTemporal, type TemporalOfService } from '../support/temporal.ts'

const PRELOAD = new URL('../../worker/workflow-threads.mjs', import.meta.url).href
/** Calls into a sandbox for longer than the time-out of the call. */
const LONG_CALL = `
  const { Script, createContext } = require('node:vm')
  const context = createContext({ now: Date.now, until: Date.now() + 200 })
  try {
    new Script('while (now() < until);').runInContext(context, { timeout: 20 })
    console.log('no time-out')
  } catch ({ code }) {
    console.log(code)
  }`

describe('The thread in which a worker runs workflows', function () {
  this.timeout(120_000)
  let folder: string
  let service: TestService
  let temporal: TemporalOfService

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-threads-'))
    service = await startTestService()
    temporal = await connectTemporal(service.env)
  })
  after(async () => {
    await service.stop()
    await temporal.close()
    await rm(folder, { recursive: true, force: true })
  })

  for (const [what, file, outcome] of [
    ['calls into its sandbox without a time-out', 'workflow-worker-thread.js', 'no time-out'],
    ['leaves time-outs of other threads as they are', 'any-other-thread.js', 'ERR_SCRIPT_EXECUTION_TIMEOUT'],
  ] as const) {
    it(what, async () => {
      const path = join(folder, file)
      await writeFile(path, LONG_CALL)
      const start = `new (require('node:worker_threads').Worker)(${JSON.stringify(path)})`
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', PRELOAD, '--eval', start])
      expect(stdout.trim()).to.equal(outcome)
    })
  }

  it('records no stacks of promises, and a query for them fails with a sentence', async () => {
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'patient', inputs: {} })
    const id: string = body.prompt_id
    await eventually(
      () => service.counted(id),
      (lines) => lines.length > 0,
    )
    const asked = temporal.handleOf(id).query('__stack_trace')
    const error = await asked.then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error?.message).to.include('stack traces are not enabled')
    await service.open(id)
    expect((await untilEnded(service, id)).body.status).to.equal('completed')
    expect(await service.worker.logs()).not.to.include('promiseHooks')
  })
})
