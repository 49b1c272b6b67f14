import type { Say } from '../say.ts'
import { runCommand } from './run-command.ts'

/** Libraries of mongod that are missing in small images, by their name in the loader's error. */
const PACKAGES: Record<string, string> = { 'libcurl.so.4': 'libcurl4' }

/**
 * Installs the Debian package of a missing library, if this process has the permission.
 * @param problem - output of the program when it was run.
 * @throws Error that names the required package.
 */
export async function installMissingLibrary(problem: string, say: Say): Promise<void> {
  const missing = Object.entries(PACKAGES).find(([library]) => problem.includes(library))?.[1]
  if (missing === undefined) throw new Error(problem)
  const sentence = `mongod needs the system's package ${missing}`
  if (process.getuid?.() !== 0) throw new Error(`${sentence}: run "sudo apt-get install ${missing}"`)
  say(`${sentence}; installing it with apt-get.`)
  const environment = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => runCommand('apt-get', ['install', '-y', '--no-install-recommends', missing], { environment })
  // The package lists of an image may be missing or outdated.
  await install().catch(async () => {
    await runCommand('apt-get', ['update'], { environment })
    await install()
  })
}
