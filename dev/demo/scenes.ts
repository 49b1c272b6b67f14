import { spanSentence } from '../../cli/span-line.ts'
import type { CompleteEvent, Schema, Troupe } from '../../client/index.ts'
import { ARTICLE, REVIEWS } from './texts.ts'

/** Writes a line to the terminal. */
export type Print = (line: string) => void

const EXCERPT_LINES = 12
const BAR_WIDTH = 20

/** One agent: what it does is shown while it happens. */
export async function showPrompt(troupe: Troupe, print: Print): Promise<void> {
  print('\n── A prompt: the researcher reads a text ──')
  const { prompt_id: id } = await troupe.prompts.create({ prompt_name: 'researcher', inputs: { text: ARTICLE } })
  await followPrompt(troupe, id, print)
}

/** Three agents in a row: the answer of each is the next one's input. */
export async function showChain(troupe: Troupe, print: Print): Promise<void> {
  print('\n── A chain: researcher → analyst → writer ──')
  const { prompt_id: id } = await troupe.prompts.chain(['researcher', 'analyst', 'writer'], { text: ARTICLE })
  await followPrompt(troupe, id, print)
}

/** Twenty tasks at a time. */
export async function showBatch(troupe: Troupe, print: Print): Promise<void> {
  print(`\n── A batch: ${REVIEWS.length} texts judged at the same time ──`)
  const tasks = REVIEWS.map((text) => ({ text }))
  const { batch_id: id } = await troupe.batches.submit('sentiment', { tasks })
  print(`batch ${id}`)
  const done = new Set<unknown>()
  for await (const event of troupe.batches.stream(id)) {
    if (event.type === 'complete') {
      await printJudgements(troupe, id, event, print)
      continue
    }
    const before = done.size
    for (const { event_type: type, metadata } of event.spans) if (type === 'task_complete') done.add(metadata.job_id)
    if (done.size > before) print(`  ${bar(done.size, REVIEWS.length)} ${done.size} of ${REVIEWS.length}`)
  }
}

async function printJudgements(troupe: Troupe, id: string, { status, outputs }: CompleteEvent, print: Print) {
  const { succeeded, failed } = outputs.summary as Schema<'BatchSummary'>
  const labels: string[] = []
  for await (const { response } of troupe.batches.results(id)) {
    labels.push((response.result as { label?: string } | null)?.label ?? 'failed')
  }
  const counts = [...new Set(labels)].map((label) => `${labels.filter((other) => other === label).length} ${label}`)
  print(`${status}: ${succeeded} succeeded, ${failed} failed; ${counts.join(', ')}`)
}

async function followPrompt(troupe: Troupe, id: string, print: Print): Promise<void> {
  print(`prompt ${id}`)
  const startedAt = Date.now()
  for await (const event of troupe.prompts.stream(id)) {
    if (event.type === 'spans') {
      for (const span of event.spans)
        print(`  ${sinceStart(startedAt)}  ${span.agent.padEnd(11)} ${spanSentence(span)}`)
      continue
    }
    print(excerpt(event))
    if (event.status !== 'completed') throw new Error(`The prompt ended ${event.status}: ${event.error}`)
  }
}

function excerpt({ status, outputs }: CompleteEvent): string {
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
