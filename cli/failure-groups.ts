import { nameAlikeErrors, type BatchResult } from '../client/index.ts'
import { cut, oneLine } from './table.ts'

/** Tasks that failed with similar errors. */
export interface FailureGroup {
  /** First line of the error; `#` replaces differing numbers. */
  error: string
  count: number
  first: BatchResult
}

const ERROR_WIDTH = 100

/** Groups failed tasks by similar errors, the most frequent first. */
export async function failureGroups(results: AsyncIterable<BatchResult>): Promise<FailureGroup[]> {
  const byError = new Map<string, FailureGroup>()
  for await (const result of results) {
    const error = String(result.response.error ?? 'unknown error')
    const group = byError.get(error) ?? { error, count: 0, first: result }
    group.count++
    byError.set(error, group)
  }
  const names = nameAlikeErrors(byError.keys())
  const groups = new Map<string, FailureGroup>()
  for (const [text, { count, first }] of byError) {
    const error = cut(oneLine(names.get(text) ?? text), ERROR_WIDTH)
    const group = groups.get(error) ?? { error, count: 0, first }
    group.count += count
    groups.set(error, group)
  }
  return [...groups.values()].sort((one, other) => other.count - one.count)
}
