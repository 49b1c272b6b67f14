import { messageOf } from '../core/errors.ts'
import { runToEnd } from './run-to-end.ts'
import { seconds, sayToTerminal as say } from './say.ts'

/** The checks, cheapest first. None needs a server; the check of advisories passes if the registry cannot be reached. */
const CHECKS: [name: string, tool: string, args: string[]][] = [
  ['advisories', 'node', ['dev/advisories.ts']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['lint', 'eslint', ['--max-warnings', '0', '.']],
  ['imports', 'depcruise', ['--config', '.dependency-cruiser.mjs', '.']],
  ['duplicates', 'jscpd', []],
  ['dead code', 'knip', []],
  ['types', 'tsc', ['--noEmit', '-p', '.']],
  ['types of the dashboard', 'tsc', ['--noEmit', '-p', 'dashboard']],
  ['unit tests', 'mocha', ['--reporter', 'dot', 'test/unit/**/*.test.ts']],
]

/** `npm run check`: runs all checks, even after a failure; fails if any check failed. */
async function main(): Promise<void> {
  const failed: string[] = []
  for (const [name, tool, args] of CHECKS) {
    const startedAt = Date.now()
    const code = await runToEnd(tool, args)
    say(`${code === 0 ? '✔' : '✘'} ${name} (${seconds(startedAt)})`)
    if (code !== 0) failed.push(name)
  }
  if (failed.length > 0) throw new Error(`Not clean: ${failed.join(', ')}.`)
}

main().catch((error: unknown) => {
  say(messageOf(error))
  process.exit(1)
})
