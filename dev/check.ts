import { messageOf } from '../core/errors.ts'
import { findBinary } from './binaries/find-binary.ts'
import type { ServerName } from './embedded-stack.ts'
import { runToEnd } from './run-to-end.ts'
import { seconds, sayToTerminal as say } from './say.ts'

/** Cheapest first. Some unit tests ask the three servers. */
const CHECKS: [name: string, tool: string, args: string[]][] = [
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['lint', 'eslint', ['--max-warnings', '0', '.']],
  ['dead code', 'knip', []],
  ['types', 'tsc', ['--noEmit', '-p', '.']],
  ['types of the dashboard', 'tsc', ['--noEmit', '-p', 'dashboard']],
  ['unit tests', 'mocha', ['--reporter', 'dot', 'test/unit/**/*.test.ts']],
]

/** `npm run check`: all checks run, also after one failed; the exit code tells whether all were clean. */
async function main(): Promise<void> {
  const failed: string[] = []
  // Here rather than in the tests: getting a server may take minutes the first time, and no test waits that long.
  const servers: ServerName[] = ['temporal', 'mongod', 's3']
  await Promise.all(servers.map((server) => findBinary(server, { environment: process.env, say })))
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
