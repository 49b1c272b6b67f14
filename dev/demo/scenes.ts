import type { DemoClient, DemoEnd, DemoSpan } from './client.ts'
import { ARTICLE, REVIEWS } from './texts.ts'

/** Writes a line to the terminal. */
export type Print = (line: string) => void

const EXCERPT_LINES = 12
const BAR_WIDTH = 20

interface Submitted {
  prompt_id: string
  batch_id: string
}

/** One agent: what it does is shown while it happens. */
export async function showPrompt(client: DemoClient, print: Print): Promise<void> {
  print('\n── A prompt: the researcher reads a text ──')
  const { prompt_id: id } = await client.post<Submitted>('/api/prompts', {
    prompt_name: 'researcher',
    inputs: { text: ARTICLE },
  })
  await followPrompt(client, id, print)
}

/** Three agents in a row: the answer of each is the next one's input. */
export async function showChain(client: DemoClient, print: Print): Promise<void> {
  print('\n── A chain: researcher → analyst → writer ──')
  const { prompt_id: id } = await client.post<Submitted>('/api/prompts', {
    prompt_name: 'researcher',
    inputs: { text: ARTICLE },
    mode: 'sequential',
    agents: ['researcher', 'analyst', 'writer'],
  })
  await followPrompt(client, id, print)
}

/** Twenty tasks at a time. */
export async function showBatch(client: DemoClient, print: Print): Promise<void> {
  print(`\n── A batch: ${REVIEWS.length} texts judged at the same time ──`)
  const tasks = REVIEWS.map((text) => ({ text }))
  const { batch_id: id } = await client.post<Submitted>('/api/agents/sentiment/batch', { tasks })
  print(`batch ${id}`)
  const done = new Set<unknown>()
  const end = await client.follow(`/ws/batches/${id}`, (spans) => {
    const before = done.size
    for (const { event_type: type, metadata } of spans) if (type === 'task_complete') done.add(metadata.job_id)
    if (done.size > before) print(`  ${bar(done.size, REVIEWS.length)} ${done.size} of ${REVIEWS.length}`)
  })
  const { results, summary } = end.outputs as {
    results: Record<string, { response: { result?: { label?: string } | null } }>
    summary: { succeeded: number; failed: number }
  }
  const labels = Object.values(results).map(({ response }) => response.result?.label ?? 'failed')
  const counts = [...new Set(labels)].map((label) => `${labels.filter((other) => other === label).length} ${label}`)
  print(`${end.status}: ${summary.succeeded} succeeded, ${summary.failed} failed; ${counts.join(', ')}`)
}

async function followPrompt(client: DemoClient, id: string, print: Print): Promise<void> {
  print(`prompt ${id}`)
  const startedAt = Date.now()
  const end = await client.follow(`/ws/prompts/${id}`, (spans) => {
    for (const span of spans) print(`  ${sinceStart(startedAt)}  ${span.agent.padEnd(11)} ${sentence(span)}`)
  })
  print(excerpt(end))
  if (end.status !== 'completed') throw new Error(`The prompt ended ${end.status}: ${end.error}`)
}

function sentence({ event_type: type, name, metadata }: DemoSpan): string {
  const took = typeof metadata.duration_ms === 'number' ? ` (${Math.round(metadata.duration_ms)} ms)` : ''
  if (type === 'task_start') return 'starts'
  if (type === 'task_complete') return `ends${took}`
  if (type === 'tool_call') return `used the tool ${name}${took}`
  if (type === 'llm_usage') return `asked the model ${name}${took}`
  return `${type} ${name}`
}

function excerpt({ status, outputs }: DemoEnd): string {
  const answer = typeof outputs.result === 'string' ? outputs.result : JSON.stringify(outputs, null, 2)
  const lines = answer.split('\n').filter((line) => line !== '')
  const more = lines.length > EXCERPT_LINES ? [`… and ${lines.length - EXCERPT_LINES} lines more`] : []
  return [`${status}:`, ...[...lines.slice(0, EXCERPT_LINES), ...more].map((line) => `  │ ${line.slice(0, 110)}`)].join(
    '\n',
  )
}

function bar(part: number, whole: number): string {
  const filled = Math.round((part / whole) * BAR_WIDTH)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
}

function sinceStart(startedAt: number): string {
  return `${((Date.now() - startedAt) / 1_000).toFixed(2).padStart(6)} s`
}
