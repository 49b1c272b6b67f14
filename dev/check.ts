import { messageOf } from '../core/errors.ts'
import { runToEnd } from './run-to-end.ts'
import { seconds, sayToTerminal as say } from './say.ts'

/** Cheapest first; none needs a server, and of the registry's advisories none fails where it cannot be reached. */
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

/** `npm run check`: all checks run, also after one failed; the exit code tells whether all were clean. */
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
