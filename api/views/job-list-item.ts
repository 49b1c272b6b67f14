import type { JobListItem } from '../../contracts/jobs.ts'
import { tokenUsage } from '../../core/usage.ts'
import type { ExecutionDocument } from '../../store/documents.ts'
import { jobItemView, summaryFields } from './execution.ts'

/** Maximum length of an error in lists. */
const ERROR_CHARACTERS = 200

/** Projection of the fields in a list of executions. */
export const jobListFields = { ...summaryFields, kind: 1, batch_id: 1, usage: 1, error: 1 } as const

/** The fields of an execution in a list. */
export type JobListFields = Pick<ExecutionDocument, '_id' | keyof typeof jobListFields>

/** The beginning of an error, cut between characters. */
export function errorStart(error: string | null): string | null {
  return error === null ? null : error.slice(0, ERROR_CHARACTERS).toWellFormed()
}

/** An execution in `GET /api/jobs`. */
export function jobListItemView(execution: JobListFields): JobListItem {
  const { kind, batch_id, created_at, completed_at, usage, error } = execution
  return {
    ...jobItemView(execution),
    kind,
    batch_id: batch_id ?? null,
    duration_ms: completed_at === null ? null : Math.max(0, completed_at.getTime() - created_at.getTime()),
    total_tokens: tokenUsage(usage).total_tokens,
    error: errorStart(error),
  }
}
