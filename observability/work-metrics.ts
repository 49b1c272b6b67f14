import { Counter, Histogram } from 'prom-client'
import { toUsd } from '../core/cost.ts'
import type { LedgerEntry } from '../store/ledger/entry.ts'
import { boundedLabel } from './bounded-label.ts'

const MAX_AGENTS = 200
const MAX_MODELS = 100
const MAX_TOOLS = 300
const CALL_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600]

/** Label values, with a limit for each kind. */
export const labelOf = {
  agent: boundedLabel(MAX_AGENTS),
  model: boundedLabel(MAX_MODELS),
  tool: boundedLabel(MAX_TOOLS),
}

/** Actual model calls; cached responses do not count. */
export const modelCallSeconds = new Histogram({
  name: 'troupe_model_call_duration_seconds',
  help: 'Model calls by provider, model and outcome (ok, or the code of the error).',
  labelNames: ['provider', 'model', 'outcome'] as const,
  buckets: CALL_BUCKETS,
})

/** Token usage of model calls. */
export const tokens = new Counter({
  name: 'troupe_tokens_total',
  help: 'Tokens of model calls by provider, model and type (input, output).',
  labelNames: ['provider', 'model', 'type'] as const,
})

/** Actual tool calls; cached responses do not count. */
export const toolCallSeconds = new Histogram({
  name: 'troupe_tool_call_duration_seconds',
  help: 'Tool calls by agent, tool and status (success, error).',
  labelNames: ['agent', 'tool', 'status'] as const,
  buckets: CALL_BUCKETS,
})

const cost = new Counter({
  name: 'troupe_cost_usd_total',
  help: 'What model calls cost in US dollars, as far as their prices are known; recorded by this process.',
  labelNames: ['provider', 'model', 'agent'] as const,
})

const executions = new Counter({
  name: 'troupe_executions_total',
  help: 'Executions that ended, by final status and the agent with which they ended; recorded by this process.',
  labelNames: ['status', 'agent'] as const,
})

/** Workflows that cannot continue with this version of the code, as found by the reconciler. */
export const stuckWorkflows = new Counter({
  name: 'troupe_stuck_workflows_total',
  help: 'Times that the reconciler found a workflow that cannot go on with this version of its code.',
})

const groupEntries = new Histogram({
  name: 'troupe_ledger_group_entries',
  help: 'Entries that the ledger committed in one transaction.',
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
})

const commitSeconds = new Histogram({
  name: 'troupe_ledger_commit_duration_seconds',
  help: 'Transactions of the ledger, from their first attempt to the commit.',
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
})

/** Counts a group of committed ledger entries; exactly one commit wrote each of them. */
export function countCommit(entries: readonly LedgerEntry[], seconds: number): void {
  groupEntries.observe(entries.length)
  commitSeconds.observe(seconds)
  for (const { finish, events, usage } of entries) {
    if (usage !== undefined && usage.nano_usd > 0) {
      const agent = labelOf.agent(events[0]?.agent ?? 'unknown')
      cost.inc({ provider: usage.provider, model: labelOf.model(usage.model), agent }, toUsd(usage.nano_usd))
    }
    if (finish === undefined) continue
    executions.inc({ status: finish.status, agent: labelOf.agent(events.at(-1)?.agent ?? 'unknown') })
  }
}
