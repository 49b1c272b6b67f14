import type { Say } from '../say.ts'
import { runCommand } from './run-command.ts'

/** Libraries that mongod is linked with and small images lack, by the name in the loader's complaint. */
const PACKAGES: Record<string, string> = { 'libcurl.so.4': 'libcurl4' }

/**
 * Installs the Debian package of a library that the loader did not find, where we may.
 * @param problem - what the program said when it was run.
 * @throws Error naming the package that is needed.
 */
export async function installMissingLibrary(problem: string, say: Say): Promise<void> {
  const missing = Object.entries(PACKAGES).find(([library]) => problem.includes(library))?.[1]
  if (missing === undefined) throw new Error(problem)
  const sentence = `mongod needs the system's package ${missing}`
  if (process.getuid?.() !== 0) throw new Error(`${sentence}: run "sudo apt-get install ${missing}"`)
  say(`${sentence}; installing it with apt-get.`)
  const environment = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => runCommand('apt-get', ['install', '-y', '--no-install-recommends', missing], { environment })
  // The lists of an image may be missing or too old.
  await install().catch(async () => {
    await runCommand('apt-get', ['update'], { environment })
    await install()
  })
}
