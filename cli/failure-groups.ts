import type { BatchResult } from '../client/index.ts'
import { cut, oneLine } from './table.ts'

/** Tasks that failed alike. */
export interface FailureGroup {
  /** First line of the error. */
  error: string
  count: number
  first: BatchResult
}

const ERROR_WIDTH = 100

/** Groups failed tasks by the first line of their error, the most frequent first. */
export async function failureGroups(results: AsyncIterable<BatchResult>): Promise<FailureGroup[]> {
  const groups = new Map<string, FailureGroup>()
  for await (const result of results) {
    const text = String(result.response.error ?? 'unknown error').split('\n')[0] ?? ''
    const error = cut(oneLine(text), ERROR_WIDTH)
    const group = groups.get(error) ?? { error, count: 0, first: result }
    group.count++
    groups.set(error, group)
  }
  return [...groups.values()].sort((one, other) => other.count - one.count)
}
