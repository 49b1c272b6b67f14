import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sayToTerminal } from '../../dev/say.ts'

const execute = promisify(execFile)
const NODE_22 = '22.23.3'
const FOLDER = join(import.meta.dirname, '../../.data/node-22')
const CHROMIUM_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of a Node 22; gets it from the package registry once. Without it the test is skipped, under CI it fails. */
export async function needNode22(context: Mocha.Context): Promise<string> {
  const path = join(FOLDER, 'node_modules/.bin/node')
  if (existsSync(path)) return path
  const words = ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', '--ignore-scripts=false', `node@${NODE_22}`]
  const { npm_config_prefix: _, ...env } = process.env
  await execute('npm', words, { env }).catch((error: unknown) =>
    skip(context, `Node 22 could not be installed: ${String(error)}`),
  )
  return path
}

/** Path of Chromium: CHROMIUM, or where Linux distributions have it. Without it the test is skipped, under CI it fails. */
export function needChromium(context: Mocha.Context): string {
  const path = [process.env.CHROMIUM ?? '', ...CHROMIUM_PLACES].find((place) => place !== '' && existsSync(place))
  return path ?? skip(context, 'Chromium must be installed, or CHROMIUM name its path.')
}

function skip(context: Mocha.Context, obstacle: string): never {
  if (process.env.CI === 'true') throw new Error(obstacle)
  sayToTerminal(`      Skipped: ${obstacle}`)
  return context.skip()
}
