import { drive } from './statistics.ts'

/** Results of a measurement by name. */
export type Figures = Record<string, number>

async function send(url: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${String(answer.detail)}`)
  return answer
}

/** Two model calls and two tool calls. */
const TWO_OF_EACH = { steps: 1, calls: 2 }

const job = (url: string, agent: string, inputs: object) => async (index: number) => {
  const answer = await send(url, '/api/jobs', { pipeline_name: agent, inputs: { ...inputs, index } })
  if (answer.status !== 'success') throw new Error(`A job ended as ${String(answer.status)}.`)
}

/** S1: a prompt of an instant code agent, by the blocking call. */
export const instantJob = (url: string) => job(url, 'instant', {})

/** S1 with a model agent: two model calls and two tool calls. */
export const modelJob = (url: string) => job(url, 'many-tools', TWO_OF_EACH)

/** S2: 50 clients, 1,000 prompts. */
export async function s2(url: string): Promise<Figures> {
  const { times, perSecond } = await drive(1_000, 50, job(url, 'instant', {}))
  return { per_second: perSecond, p50_ms: times.p50, p99_ms: times.p99 }
}

/** S3: one batch of instant tasks, from submit to completed. */
export async function s3Code(url: string, count = 10_000): Promise<Figures> {
  return { tasks_per_second: await batchRate(url, 'instant', count, (index) => ({ index })) }
}

/** S3 with model agents: two model calls and two tool calls per task, so four steps. */
export async function s3Model(url: string, count = 1_000): Promise<Figures> {
  const rate = await batchRate(url, 'many-tools', count, () => TWO_OF_EACH)
  return { steps_per_second: rate * 4 }
}

async function batchRate(url: string, agent: string, count: number, task: (index: number) => unknown): Promise<number> {
  const begun = performance.now()
  const tasks = Array.from({ length: count }, (_, index) => task(index))
  const answer = await send(url, `/api/agents/${agent}/batch`, { tasks, wait: true })
  const seconds = (performance.now() - begun) / 1_000
  const failed = (answer.results as { response: { status: string } }[]).filter(
    ({ response }) => response.status !== 'success',
  )
  if (failed.length > 0) throw new Error(`${failed.length} tasks failed: ${JSON.stringify(failed[0])}`)
  return count / seconds
}
