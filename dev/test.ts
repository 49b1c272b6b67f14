import { messageOf } from '../core/errors.ts'
import { findBinary } from './binaries/find-binary.ts'
import type { ServerName } from './embedded-stack.ts'
import { runToEnd } from './run-to-end.ts'
import { sayToTerminal as say } from './say.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Things that tests left open. */
  left: number
}

/**
 * `npm test`: runs the tests under mocha, which starts the servers that tests ask for and stops them. Files and mocha's own
 * options may be given: `npm test -- test/contract/prompts.test.ts -g cancel`.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2)
  const files = given.some((word) => /\.ts$|^test\//.test(word)) ? [] : ['test/**/*.test.ts']
  // Here rather than in the tests: getting a server may take minutes, and no test waits that long.
  const servers: ServerName[] = ['temporal', 'mongod', 's3']
  await Promise.all(servers.map((server) => findBinary(server, { environment: process.env, say })))
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, left: 0 }
  const code = await runToEnd('mocha', [...files, ...given], (message) => Object.assign(counts, message))
  const { passed, skipped, left } = counts
  // A run that broke off has counted nothing, and has failed all the same.
  const failed = counts.failed + (left > 0 ? 1 : 0) || (code === 0 ? 0 : 1)
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  process.stdout.write(`${passed} passed, ${failed} failed${tail}\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

main().catch((error: unknown) => {
  say(messageOf(error))
  process.stdout.write('0 passed, 1 failed\n')
  process.exit(1)
})
