import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { sayToTerminal, withReminders } from '../../dev/say.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'

const execute = promisify(execFile)

/**
 * Makes sure that a program of a Debian package is there; as root on Debian it is installed.
 *
 * Where it cannot be had the tests of the calling hook are skipped and say so; under CI they fail instead.
 */
export async function needDebianProgram(context: Mocha.Context, path: string, name: string): Promise<void> {
  context.timeout(300_000)
  const obstacle = await findObstacle(path, name)
  if (obstacle === undefined) return
  if (process.env.CI === 'true') throw new Error(obstacle)
  sayToTerminal(`      Skipped: ${obstacle}`)
  context.skip()
}

async function findObstacle(path: string, name: string): Promise<string | undefined> {
  if (existsSync(path)) return undefined
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return `${name} must be installed.`
  sayToTerminal(`      Installing Debian's ${name} for the tests …`)
  const env = { ...plainEnvironment(), DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...words: string[]) => execute('apt-get', ['-q', '-y', ...words], { env, maxBuffer: 67_108_864 })
  const install = async () => {
    await aptGet('update')
    await aptGet('install', '--no-install-recommends', name)
  }
  return withReminders(sayToTerminal, '      Still installing', install()).then(
    () => undefined,
    (error: unknown) => `${name} could not be installed: ${String(error)}`,
  )
}
