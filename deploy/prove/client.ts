import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const DEADLINE_MS = 300_000

/** URL of the service under test, and an API key. */
export const { URL: url = '', SERVICE_API_KEY: key = '' } = process.env

/** Input text for agents. */
export const TEXT =
  'The harbour was quiet and lovely. Ships came late, which was bad for trade. Nobody complained about the rain.'

/** Submissions of every kind: a chain, a delegation, an agent of the other pool. */
export const PROMPTS = [
  {
    prompt_name: 'researcher',
    inputs: { text: TEXT },
    mode: 'sequential',
    agents: ['researcher', 'analyst', 'writer'],
  },
  { prompt_name: 'coordinator', inputs: { text: TEXT } },
  { prompt_name: 'machine', inputs: {} },
]

/** Number of repeated requests. */
export const repeated = { count: 0 }

/**
 * Sends a request with an Idempotency-Key, and retries it while the service is unavailable.
 * @throws Error when the service rejects it, or is unavailable for five minutes.
 */
export async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const attempt = await send()
    if (attempt.taken) {
      if (attempt.status < 400) return JSON.parse(attempt.text)
      throw new Error(`${method} ${path} answered ${attempt.text}`)
    }
    if (Date.now() > deadline) throw new Error(`${method} ${path}: ${attempt.text}`)
    repeated.count += 1
    await delay(300)
  }

  async function send(): Promise<{ taken: boolean; status: number; text: string }> {
    try {
      const signal = AbortSignal.timeout(60_000)
      const response = await fetch(url + path, { method, headers, signal, body: body ? JSON.stringify(body) : null })
      return { taken: response.status < 500, status: response.status, text: await response.text() }
    } catch (error) {
      return { taken: false, status: 0, text: String(error) }
    }
  }
}

/** Polls until the response satisfies `holds`. @throws Error when it does not within five minutes. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function until(path: string, holds: (body: any) => boolean): Promise<any> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const body = await call<any>('GET', path)
    if (holds(body)) return body
    if (Date.now() > deadline) throw new Error(`${path} is still ${JSON.stringify(body).slice(0, 300)}`)
    await delay(500)
  }
}

interface Trace {
  event_type: string
  parent_id: number | null
  payload: { call_id?: string }
}

/** Waits for the end of each execution. @throws Error unless all complete, each step once. */
export async function eachOnce(ids: string[]): Promise<void> {
  for (const id of ids) {
    const { status, error } = await until(`/api/jobs/${id}`, (job) => job.status !== 'running')
    if (status !== 'completed') throw new Error(`${id} ended ${status}: ${error}`)
    const { traces } = await call<{ traces: Trace[] }>('GET', `/api/traces?job_id=${id}&limit=1000`)
    const ends = traces.filter(({ event_type: type }) => type === 'task_complete')
    const starts = traces.filter(({ event_type: type }) => type === 'task_start')
    const tools = traces.filter(({ event_type: type }) => type === 'tool_call')
    const calls = tools.map(({ parent_id: parent, payload }) => `${parent} ${payload.call_id}`)
    const doubled = calls.length !== new Set(calls).size
    if (starts.length !== ends.length || ends.length === 0 || doubled)
      throw new Error(`${id} has ${JSON.stringify(traces)}`)
  }
  say(`  ${ids.length} executions completed, each step once`)
}

/** Prints a line of output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
