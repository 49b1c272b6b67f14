import { Client, Connection } from '@temporalio/client'
import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '../support/processes.ts'
import { startTestService, untilEnded } from '../support/service.ts'
import { freeze } from './worker-state.ts'

/** Longer than the polls that a server of ours lets a worker have open. */
const POLLS_ARE_OVER_MS = 13_000

describe('A frozen worker', () => {
  it('receives no tasks after its last polls have expired', async function () {
    this.timeout(180_000)
    const service = await startTestService()
    const frozen = await startWorker({ env: service.env })
    const connection = await Connection.connect({ address: service.env.TEMPORAL_ADDRESS ?? '' })
    const temporal = new Client({ connection, namespace: service.env.TEMPORAL_NAMESPACE ?? '' })
    try {
      freeze(frozen)
      await sleep(POLLS_ARE_OVER_MS)
      const inputs = { prompt_name: 'slow', inputs: { ms: 1 } }
      const submitted = Array.from({ length: 30 }, () => service.request('POST', '/api/prompts', inputs))
      const ids = (await Promise.all(submitted)).map(({ body }): string => body.prompt_id)
      for (const id of ids) {
        expect((await untilEnded(service, id, 90_000)).body.status).to.equal('completed')
        const run = temporal.workflow.getHandle(`${service.env.MONGODB_DATABASE}/${id}`)
        const { events } = await run.fetchHistory()
        const given = events?.flatMap(({ workflowTaskScheduledEventAttributes: task }) => task?.attempt ?? []) ?? []
        const taken = events?.flatMap(({ activityTaskStartedEventAttributes: task }) => task?.attempt ?? []) ?? []
        const lost = events?.filter(({ workflowTaskTimedOutEventAttributes: task }) => task != null) ?? []
        expect([...given, ...taken].every((attempt) => attempt === 1) && lost.length === 0, id).to.equal(true)
      }
    } finally {
      await frozen.kill9()
      await connection.close()
      await service.stop()
    }
  })
})
