import type { BatchResult } from './batch-results.ts'
import { csvLine } from './inputs-csv.ts'

/** Results as lines of CSV; the first names the columns. Inputs and results are JSON. */
export async function* resultsCsv(results: AsyncIterable<BatchResult>): AsyncGenerator<string, void, undefined> {
  yield 'index,task_id,status,error,inputs,result'
  for await (const { index, task_id, status, response, inputs } of results) {
    // Strings are JSON, too: a result that reads as a number is told from one that is.
    yield csvLine([index, task_id, status, response.error, inputs, JSON.stringify(response.result)])
  }
}
