import { budgetText, costText, durationText, type Schema } from '../../../client/index.ts'
import { answerText } from '../../parts/answer-text.ts'
import { formatCount, formatTime } from '../../parts/format.ts'
import { wordOfType } from '../../waterfall/event-words.ts'

/** Steps that a report tells: it is for people. */
export const REPORTED_STEPS = 500
const VALUE_CHARACTERS = 300

type Trace = Schema<'Trace'>

/**
 * What an execution was given, what it did step by step, what came of it and what it cost, as Markdown. Times are in UTC: a report
 * is sent to others.
 * @param traces - its first events, oldest first
 * @param more - whether there are events behind these
 */
export function executionReport(job: Schema<'Job'>, traces: readonly Trace[], more: boolean): string {
  const parts = [
    `# ${job.agents.join(' → ') || job.pipeline_name}: ${job.status}`,
    factsOf(job).join('\n'),
    ...(job.error === null ? [] : ['## Error', fenced(job.error, '')]),
    '## Input',
    fenced(JSON.stringify(job.inputs, null, 2), 'json'),
    '## Output',
    fenced(answerText(job.outputs), ''),
    '## Steps',
    traces.length === 0 ? 'No events are kept.' : stepsOf(traces).join('\n'),
    ...(more ? [`These are the first ${formatCount(traces.length)} events; there are more.`] : []),
    '## Tokens and cost',
    tableOf(job),
  ]
  return `${parts.join('\n\n')}\n`
}

function factsOf({ job_id, kind, created_at, completed_at, batch_id, replay_of, budget }: Schema<'Job'>): string[] {
  const took = completed_at === null ? undefined : durationText(Date.parse(completed_at) - Date.parse(created_at))
  const facts: [name: string, text: string | null | undefined][] = [
    ['Id', `${code(job_id)} (${kind})`],
    ['Created', formatTime(created_at, 'utc')],
    ['Took', took],
    ['Batch', batch_id === null ? null : code(batch_id)],
    ['Replay of', replay_of === null ? null : code(replay_of)],
    ['Budget', budget == null ? null : budgetText(budget)],
  ]
  return facts.flatMap(([name, text]) => (text == null ? [] : [`- ${name}: ${text}`]))
}

/** A list in which each event stands below its parent. */
function stepsOf(traces: readonly Trace[]): string[] {
  const depths = new Map<number, number>()
  return traces.map((trace) => {
    const depth = trace.parent_id === null ? 0 : (depths.get(trace.parent_id) ?? -1) + 1
    depths.set(trace.id, depth)
    return `${'  '.repeat(depth)}- ${stepOf(trace)}`
  })
}

function stepOf({ agent_name, event_type, payload }: Trace): string {
  const { tool_name, model, target_agent, duration_ms, status, error, result, parameters } = payload
  const { prompt_tokens, completion_tokens, cost_usd } = payload
  const named = [tool_name, model, target_agent].find((name) => typeof name === 'string') ?? agent_name
  const isCall = event_type === 'llm_usage'
  const facts = [
    typeof duration_ms === 'number' ? durationText(duration_ms) : undefined,
    isCall
      ? `${formatCount(Number(prompt_tokens ?? 0))} in, ${formatCount(Number(completion_tokens ?? 0))} out`
      : undefined,
    typeof cost_usd === 'number' ? costText({ usd: cost_usd, complete: true }) : undefined,
    typeof status === 'string' && status !== 'success' && status !== 'completed' ? status : undefined,
  ].filter((fact) => fact !== undefined)
  const values = [
    parameters === undefined ? '' : ` ${short(parameters)}`,
    event_type === 'tool_call' && result !== undefined ? ` → ${short(result)}` : '',
    typeof error === 'string' ? `: ${short(error)}` : '',
  ]
  return `**${wordOfType(event_type)}** ${code(String(named))}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}${values.join('')}`
}

function short(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ').trim()
  return code(text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS).toWellFormed()} …` : text)
}

function tableOf({ token_usage, cost }: Schema<'Job'>): string {
  const models = token_usage.by_model.map(({ provider, model, calls, prompt_tokens, completion_tokens }) => {
    const own = cost?.by_model.find((one) => one.provider === provider && one.model === model)
    return [`${provider}/${model}`, calls, prompt_tokens, completion_tokens, costText(own)] as const
  })
  const calls = models.reduce((sum, [, count]) => sum + count, 0)
  const all = ['All', calls, token_usage.prompt_tokens, token_usage.completion_tokens, costText(cost)] as const
  if (models.length === 0) return 'No model was called.'
  const rows = [...models, all].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? formatCount(cell) : cell.replaceAll('|', '\\|'))),
  )
  const heads = [
    ['Model', 'Calls', 'In', 'Out', 'Cost'],
    ['---', '--:', '--:', '--:', '--:'],
  ]
  return [...heads, ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Text as it is, in a fence longer than any in it: what a model wrote never becomes a part of the report. */
function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

/** The same within a line. */
function code(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1)
  const pad = text === '' || text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${text}${pad}${ticks}`
}

function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
}
