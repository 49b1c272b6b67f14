import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { messageOf } from '../core/errors.ts'

/** The folder of this file. AGENTS_DIR may name it, so users' agents can lie beside the project's own code. */
const HERE = import.meta.dirname

/** Modules in this folder that are the project's own code. A test keeps the list complete. */
const OWN = new Set(
  [
    'agent-modules.ts',
    'check-definition.ts',
    'definition.ts',
    'load.ts',
    'loaded-agent.ts',
    'tool-parameters.ts',
    'tool-timeout.ts',
    'models',
    'prices',
    'structured',
    'network',
    'tools',
  ].map((name) => join(HERE, name)),
)

/** The folder of the agents that come with Troupe. MODEL changes only these. */
export const EXAMPLES_DIR = join(HERE, 'examples')

const MODULE = /(?<!\.d)\.(ts|js|mjs)$/

/**
 * Finds the agent modules of some folders: their own files and those of their direct subfolders, each once. The order
 * is that of the folders, then of the names. It skips names that start with `.` or `_`, declaration files and
 * node_modules.
 */
export async function findAgentModules(
  directories: string[],
): Promise<{ files: string[]; problems: { file: string; message: string }[] }> {
  const files = new Set<string>()
  const problems: { file: string; message: string }[] = []
  for (const directory of directories) {
    try {
      for (const file of await modulesIn(await realpath(resolve(directory)), 1)) files.add(file)
    } catch (error) {
      problems.push({ file: directory, message: `AGENTS_DIR: ${directory} cannot be read: ${messageOf(error)}` })
    }
  }
  return { files: [...files], problems }
}

async function modulesIn(directory: string, depth: number): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => !/^[._]|^node_modules$/.test(name)).sort()
  const found: string[] = []
  for (const name of names) {
    const path = join(directory, name)
    if (OWN.has(path)) continue
    const entry = await stat(path)
    if (entry.isDirectory() && depth > 0) found.push(...(await modulesIn(path, depth - 1)))
    else if (entry.isFile() && MODULE.test(name)) found.push(await realpath(path))
  }
  return found
}
