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

// The longest first, so that no job is left alone with one of them at the end.
const ALL = ['test/faults/**/*.test.ts', 'test/!(faults)/**/*.test.ts']

/**
 * `npm test`: runs the tests under mocha, some files side by side (.mocharc.json), on three servers that all of them share. An
 * address in the environment is used instead of a server. Files and mocha's own options may be given:
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
  // A run that broke off has counted nothing, and has failed all the same.
  const failed = counts.failed || (code === 0 ? 0 : 1)
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  process.stdout.write(`${passed} passed, ${failed} failed${tail}\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Runs something that finds the servers in TEST_STACK, as stack.env of that folder names them. */
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
