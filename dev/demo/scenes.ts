import { LiveText } from '../../cli/live-text.ts'
import { spanSentence } from '../../cli/span-line.ts'
import { costText, type CompleteEvent, type Schema, type Troupe } from '../../client/index.ts'
import { ARTICLE, REVIEWS } from './texts.ts'

/** Output of the demo. */
export interface Screen {
  line: (text: string) => void
  /** Prints a part of a text; the next line ends the text. */
  piece: (text: string) => void
}

const EXCERPT_LINES = 12
const BAR_WIDTH = 20
/** Margin of model output. */
const MARGIN = '             │ '

/** Runs one agent and shows its live events. */
export async function showPrompt(troupe: Troupe, screen: Screen): Promise<void> {
  screen.line('\n── A prompt: the researcher reads a text ──')
  const { prompt_id: id } = await troupe.prompts.create({ prompt_name: 'researcher', inputs: { text: ARTICLE } })
  await followPrompt(troupe, id, screen)
}

/** Runs three agents in sequence; the output of each is the input of the next. */
export async function showChain(troupe: Troupe, screen: Screen): Promise<void> {
  screen.line('\n── A chain: researcher → analyst → writer ──')
  const { prompt_id: id } = await troupe.prompts.chain(['researcher', 'analyst', 'writer'], { text: ARTICLE })
  await followPrompt(troupe, id, screen)
}

/** Runs a batch of twenty tasks. */
export async function showBatch(troupe: Troupe, screen: Screen): Promise<void> {
  screen.line(`\n── A batch: ${REVIEWS.length} texts judged at the same time ──`)
  const tasks = REVIEWS.map((text) => ({ text }))
  const { batch_id: id } = await troupe.batches.submit('sentiment', { tasks })
  screen.line(`batch ${id}`)
  const done = new Set<unknown>()
  for await (const event of troupe.batches.stream(id)) {
    if (event.type === 'complete') {
      await printJudgements(troupe, id, event, screen)
      continue
    }
    const before = done.size
    for (const { event_type: type, metadata } of event.spans) if (type === 'task_complete') done.add(metadata.job_id)
    if (done.size > before) screen.line(`  ${bar(done.size, REVIEWS.length)} ${done.size} of ${REVIEWS.length}`)
  }
}

async function printJudgements(troupe: Troupe, id: string, { status, outputs }: CompleteEvent, screen: Screen) {
  const { succeeded, failed } = outputs.summary as Schema<'BatchSummary'>
  const labels: string[] = []
  for await (const { response } of troupe.batches.results(id)) {
    labels.push((response.result as { label?: string } | null)?.label ?? 'failed')
  }
  const counts = [...new Set(labels)].map((label) => `${labels.filter((other) => other === label).length} ${label}`)
  screen.line(`${status}: ${succeeded} succeeded, ${failed} failed; ${counts.join(', ')}`)
}

async function followPrompt(troupe: Troupe, id: string, screen: Screen): Promise<void> {
  screen.line(`prompt ${id}`)
  const startedAt = Date.now()
  const said = new LiveText((text, begins) => {
    screen.piece(`${begins ? MARGIN : ''}${text.replaceAll('\n', `\n${MARGIN}`)}`)
  })
  for await (const event of troupe.prompts.stream(id, { deltas: true })) {
    if (event.type === 'delta') said.grow(event)
    if (event.type === 'spans') {
      for (const span of event.spans) {
        said.end(span)
        screen.line(`  ${sinceStart(startedAt)}  ${span.agent.padEnd(11)} ${spanSentence(span)}`)
      }
    }
    if (event.type !== 'complete') continue
    if (event.status !== 'completed') throw new Error(`The prompt ended ${event.status}: ${event.error}`)
    // Model output has already been printed live.
    if (!said.isHeard) screen.line(excerpt(event))
    screen.line(`completed: ${await spentText(troupe, id)}`)
  }
}

/** Tokens and cost of an execution. */
async function spentText(troupe: Troupe, id: string): Promise<string> {
  const { token_usage: usage, cost } = await troupe.prompts.get(id)
  return `${usage.prompt_tokens} → ${usage.completion_tokens} tokens, cost ${costText(cost)}`
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
