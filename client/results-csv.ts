import type { BatchResult } from './batch-results.ts'
import { csvLine } from './inputs-csv.ts'

/** Results as lines of CSV with a header. Inputs and results are JSON. */
export async function* resultsCsv(results: AsyncIterable<BatchResult>): AsyncGenerator<string, void, undefined> {
  yield 'index,task_id,status,error,inputs,result'
  for await (const { index, task_id, status, response, inputs } of results) {
    // Strings are JSON, too, to distinguish the string "1" from the number 1.
    yield csvLine([index, task_id, status, response.error, inputs, JSON.stringify(response.result)])
  }
}
