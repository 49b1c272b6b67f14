import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../core/errors.ts'
import { startStack } from './embedded-stack.ts'
import { runToEnd } from './run-to-end.ts'
import { sayToTerminal as say } from './say.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

// The longest tests first, so that none of them runs alone at the end.
const ALL = ['test/faults/**/*.test.ts', 'test/!(faults)/**/*.test.ts']

/**
 * `npm test`: runs the tests with mocha, several files in parallel (.mocharc.json), on three shared servers. Uses
 * servers whose address is in the environment instead of starting them. Accepts files and options of mocha:
 * `npm test -- test/contract/prompts.test.ts -g cancel`.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2)
  const files = given.filter((word) => /\.ts$|^test\//.test(word))
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  const run = () =>
    runToEnd('mocha', [...(files.length > 0 ? [] : ALL), ...given], (message) => Object.assign(counts, message))
  const units = files.length > 0 && files.every((file) => file.startsWith('test/unit'))
  const code = units ? await run() : await withServers(run)
  const { passed, skipped } = counts
  // An aborted run has no counts, but counts as failed.
  const failed = counts.failed || (code === 0 ? 0 : 1)
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  process.stdout.write(`${passed} passed, ${failed} failed${tail}\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Runs work with the addresses of the servers from stack.env of that folder in TEST_STACK. */
async function withServers<Result>(run: () => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'troupe-test-'))
  const { stop } = await startStack({ dataDir, given: process.env, say, supervised: true })
  try {
    process.env.TEST_STACK = dataDir
    return await run()
  } finally {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

main().catch((error: unknown) => {
  say(messageOf(error))
  process.stdout.write('0 passed, 1 failed\n')
  process.exit(1)
})
