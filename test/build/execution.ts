import { randomUUID } from 'node:crypto'
import type { ExecutionDocument } from '../../store/documents.ts'

/** An execution as it is stored: a prompt of one agent that runs since now, where the fields don't say otherwise. */
export function buildExecution(fields: Partial<ExecutionDocument> = {}): ExecutionDocument {
  const { prompt_name = fields.agents?.[0]?.name ?? 'somebody', agents = [{ name: prompt_name }] } = fields
  return {
    _id: randomUUID(),
    kind: 'prompt',
    prompt_name,
    mode: agents.length > 1 ? 'sequential' : 'single',
    agents,
    status: 'running',
    inputs: { json: '{}' },
    outputs: null,
    error: null,
    created_at: new Date(),
    completed_at: null,
    usage: {},
    ...fields,
  }
}
