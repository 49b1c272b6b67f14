import { expect } from 'chai'
import type { Schema } from '../../../client/index.ts'
import { executionReport } from '../../../dashboard/pages/execution/execution-report.ts'

const MODEL = { provider: 'openai', model: 'gpt-5-mini' }

function jobOf(fields: Partial<Schema<'Job'>> = {}): Schema<'Job'> {
  const tokens = { prompt_tokens: 1_200, completion_tokens: 34, total_tokens: 1_234 }
  const buckets = { input: 1_200, cached: 0, cache_write: 0, output: 34, reasoning: 0 }
  const known = { usd: 0.5, complete: true }
  return {
    job_id: 'job-1',
    status: 'completed',
    pipeline_name: 'researcher',
    created_at: '2026-01-31T09:30:00.000Z',
    completed_at: '2026-01-31T09:30:02.500Z',
    kind: 'prompt',
    mode: 'sequential',
    agents: ['researcher', 'writer'],
    batch_id: null,
    replay_of: null,
    started_at: '2026-01-31T09:30:00.000Z',
    inputs: { query: 'why?' },
    outputs: { text: 'Because.' },
    error: null,
    token_usage: { ...tokens, by_model: [{ ...MODEL, ...tokens, calls: 2 }] },
    cost: { ...known, by_model: [{ ...MODEL, ...known, estimated: false, ...buckets }] },
    budget: null,
    submitted_by: null,
    ...fields,
  }
}

function traceOf(
  id: number,
  parent_id: number | null,
  event_type: Schema<'Trace'>['event_type'],
  payload: Record<string, unknown>,
): Schema<'Trace'> {
  return {
    id,
    job_id: 'job-1',
    agent_name: 'researcher',
    event_type,
    parent_id,
    payload,
    timestamp: '2026-01-31T09:30:00Z',
  }
}

describe('The report of an execution', () => {
  it('tells what it was given, its steps below each other, what came of it, and what it cost', () => {
    const usage = { model: 'gpt-5-mini', prompt_tokens: 600, completion_tokens: 17, cost_usd: 0.25, duration_ms: 1_500 }
    const tool = { tool_name: 'search', parameters: { q: 'sky' }, result: 'blue', status: 'success', duration_ms: 240 }
    const traces = [
      traceOf(1, null, 'task_start', { inputs: {} }),
      traceOf(2, 1, 'llm_usage', usage),
      traceOf(3, 1, 'tool_call', tool),
      traceOf(4, 1, 'error', { error: 'no more sky' }),
    ]
    const report = executionReport(jobOf(), traces, false)
    expect(report.split('\n').filter((line) => line !== '')).to.deep.equal([
      '# researcher → writer: completed',
      '- Id: `job-1` (prompt)',
      '- Created: 2026-01-31 09:30:00.000Z',
      '- Took: 2.50 s',
      '## Input',
      '```json',
      '{',
      '  "query": "why?"',
      '}',
      '```',
      '## Output',
      '```',
      'Because.',
      '```',
      '## Steps',
      '- **agent** `researcher`',
      '  - **model** `gpt-5-mini` (1.50 s, 600 in, 17 out, $0.25)',
      '  - **tool** `search` (240 ms) `{"q":"sky"}` → `blue`',
      '  - **error** `researcher`: `no more sky`',
      '## Tokens and cost',
      '| Model | Calls | In | Out | Cost |',
      '| --- | --: | --: | --: | --: |',
      '| openai/gpt-5-mini | 2 | 1,200 | 34 | $0.50 |',
      '| All | 2 | 1,200 | 34 | $0.50 |',
    ])
  })

  it('keeps what a model wrote as text, whatever is in it', () => {
    const report = executionReport(jobOf({ outputs: { text: '```\n# Not a heading\n```' } }), [], false)
    expect(report).to.include('````\n```\n# Not a heading\n```\n````')
    const tool = { tool_name: 'echo', parameters: '`x`\n# y', result: 'z'.repeat(5_000) }
    const steps = executionReport(jobOf(), [traceOf(1, null, 'tool_call', tool)], false)
    expect(steps).to.include('`` `x` # y ``')
    expect(steps).to.include(`\`${'z'.repeat(300)} …\``)
  })

  it('says why it failed, and that there is more than it tells', () => {
    const report = executionReport(
      jobOf({ status: 'failed', error: 'no', outputs: null, completed_at: null }),
      [],
      false,
    )
    expect(report).to.include('## Error\n\n```\nno\n```').and.include('No events are kept.').and.not.include('Took')
    expect(executionReport(jobOf(), [traceOf(1, null, 'task_start', {})], true)).to.include('the first 1 events')
  })
})
