import { expect } from 'chai'
import type { StepDocument } from '../../store/documents.ts'
import { buildExecution } from '../build/execution.ts'
import { storeExecutions } from '../build/store-executions.ts'
import { startTestService, untilEnded, type TestService } from '../support/service.ts'

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000)

/** As 0.1.0 stored it, which knew no takes; what it had open was adopted (`test/store/adopt.test.ts`). */
describe('An execution that was started by version 0.1.0', function () {
  this.timeout(120_000)
  let service: TestService

  before(async () => void (service = await startTestService()))
  after(() => service.stop())

  it('continues from its records without repeating a model call or tool call', async () => {
    const record = buildExecution({
      ...{ prompt_name: 'stepper', created_at: AN_HOUR_AGO, started_at: AN_HOUR_AGO, last_trace_id: 1 },
    })
    const { _id: id } = record
    const step = (path: string, result: unknown): StepDocument => ({
      ...{ _id: `${id}|0.${path}`, job_id: id, at: AN_HOUR_AGO, trace_id: 1 },
      result: result === null ? null : { json: JSON.stringify(result) },
    })
    const calls = [2, 3].map((n, index) => ({
      id: `c${index}`,
      name: index === 0 ? 'one' : 'two',
      arguments: { step: n },
    }))
    await service.store.steps.insertMany([
      step('start', null),
      step('m00000', { text: '', calls, tokens: { prompt: 10, completion: 2 } }),
      step('m00000.c000', { result: { step: 2 } }),
    ])
    for (let n = 1; n <= 7; n += 1) for (const gate of [`${id}-${n}`]) await service.open(gate)
    await storeExecutions(service.store, [{ ...record, inputs: { json: JSON.stringify({ job: id }) } }])
    const { body } = await untilEnded(service, id)
    expect(body).to.deep.include({ status: 'completed', outputs: { result: 'all steps made' } })
    expect((await service.counted(id)).toSorted()).to.deep.equal([
      ...['model 4', 'model 7', 'tool 3', 'tool 5', 'tool 6'],
    ])
  })
})
