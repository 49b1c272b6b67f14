import { writeFile } from 'node:fs/promises'
import { startProviderServer } from '../test/support/provider-server.ts'
import { eventually, startTestService } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { timesOf } from './statistics.ts'

/**
 * `node bench/cancel.ts [times]`: milliseconds from the request of a cancel until the connection of a provider closes,
 * until the signal of a running tool fires, and until the run is recorded as stopped.
 */
const TIMES = Number(process.argv[2] ?? 50)
const RESULT_FILE = 'bench-cancel.json'

const [stack, provider] = await Promise.all([startStack(), startProviderServer(() => ({ hang: true }))])
const service = await startTestService({
  stack: stack.env,
  env: { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'unused' },
})
try {
  const seen = { provider: [] as number[], tool: [] as number[] }
  const stopped = { provider: [] as number[], tool: [] as number[] }
  for (let index = 0; index < TIMES; index += 1) {
    const asking = await start('provider')
    const request = await provider.request(index)
    const canceledAt = await cancel(asking)
    seen.provider.push((await request.closed).getTime() - canceledAt)
    stopped.provider.push((await stoppedAt(asking)) - canceledAt)

    const waiting = await start('slow-tool')
    await eventually(
      () => service.counted(waiting),
      (lines) => lines.includes('begin'),
    )
    const toolCanceledAt = await cancel(waiting)
    const lines = await eventually(
      () => service.counted(waiting),
      (found) => found.length > 1,
    )
    seen.tool.push(Number(lines.at(-1)?.replace('aborted ', '')) - toolCanceledAt)
    stopped.tool.push((await stoppedAt(waiting)) - toolCanceledAt)
  }
  const result = {
    'provider: connection closed': timesOf(seen.provider),
    'tool: signal aborted': timesOf(seen.tool),
    'provider: run recorded as stopped': timesOf(stopped.provider),
    'tool: run recorded as stopped': timesOf(stopped.tool),
  }
  console.table(result)
  await writeFile(RESULT_FILE, JSON.stringify({ at: new Date(), times: TIMES, ...result, seen, stopped }, null, 2))
} finally {
  await service.stop()
  await Promise.all([stack.stop(), provider.close()])
}

async function start(prompt_name: string): Promise<string> {
  const { body } = await service.request('POST', '/api/prompts', { prompt_name, inputs: { query: 'wait' } })
  return body.prompt_id
}

/** Returns the time just before the request. */
async function cancel(id: string): Promise<number> {
  const requestedAt = Date.now()
  const { body } = await service.request('POST', `/api/prompts/${id}/cancel`)
  if (body.status !== 'canceled') throw new Error(`The cancel was answered with ${JSON.stringify(body)}`)
  return requestedAt
}

async function stoppedAt(id: string): Promise<number> {
  const ended = await eventually(
    () => service.store.executions.findOne({ _id: id }, { projection: { completed_at: 1 } }),
    (execution) => execution?.completed_at != null,
  )
  return ended?.completed_at?.getTime() ?? Number.NaN
}
