import { readFileSync } from 'node:fs'
import { call, eachOnce, say } from './client.ts'

// Checks that all executions of load.ts complete and that their results can be read, regardless of the operation.

const ids = readFileSync(process.env.ACCEPTED ?? '', 'utf8')
  .trim()
  .split('\n')
await eachOnce(ids)
let offloaded = 0
for (const id of ids) {
  const response = await call<{ offloaded: boolean }>('GET', `/api/responses/${id}/resolved`)
  if (response.offloaded) offloaded += 1
}
say(`  ${ids.length} results read, ${offloaded} of them from the object store`)
