import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { getProgram } from '../binaries/get-program.ts'
import { goInstall } from '../binaries/go-install.ts'
import type { Program } from '../binaries/program.ts'
import { runCommand } from '../binaries/run-command.ts'
import type { Say } from '../say.ts'

/** The Temporal server whose version the embedded development server has, too. */
const VERSION = 'v1.29.1'

const PROGRAMS = {
  'temporal-server': program('temporal-server', goInstall('server', 'go.temporal.io/server/cmd/server', VERSION)),
  'temporal-sql-tool': program('temporal-sql-tool', goInstall('sql', 'go.temporal.io/server/cmd/tools/sql', VERSION)),
}

/** Finds a program of a real Temporal cluster in the cache, or builds it there (five to ten minutes the first time). */
export async function findProgram(name: keyof typeof PROGRAMS, say: Say): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'troupe')
  const path = join(cache, 'bin', name)
  if (existsSync(path) && (await problemOf(path)) === undefined) return path
  return getProgram(PROGRAMS[name], { cache, say, problemOf })
}

/**
 * The folder of PostgreSQL's own programs, the newest that Debian put on this machine.
 * @throws Error with the command that installs it.
 */
export function findPostgres(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).map(Number) : []
  if (versions.length === 0) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  return join(root, String(Math.max(...versions)), 'bin')
}

function program(name: string, way: Program['ways'][number]): Program {
  return { name, variable: name.toUpperCase().replaceAll('-', '_'), ways: [way] }
}

async function problemOf(path: string): Promise<string | undefined> {
  return runCommand(path, ['--version']).then(() => undefined, messageOf)
}
