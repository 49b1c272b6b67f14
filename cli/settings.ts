import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'

/** Address and key of the service. */
export interface Settings {
  url: string
  key: string | undefined
  /** The source of the key, for messages. */
  keySource: string
}

/** Options of the command line. */
export interface SettingOptions {
  url?: string | undefined
  key?: string | undefined
  keyFile?: string | undefined
}

interface ConfigFile {
  url?: string
  key?: string
}

const DEFAULT_URL = 'http://127.0.0.1:8000'
/** Permission bits of group and others. */
const OTHERS = 0o077

/** Path of the file that `troupe login` writes. */
export function configPath(env: NodeJS.ProcessEnv): string {
  return env.TROUPE_CONFIG ?? join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'troupe/config.json')
}

/**
 * Reads the settings. Options take precedence over the environment, and the environment over the file. The file's key is sent only to the file's address.
 * @throws CommandError when an address is invalid or a file cannot be used
 */
export function readSettings(options: SettingOptions, env: NodeJS.ProcessEnv): Settings {
  const path = configPath(env)
  const config = readConfig(path)
  const url = checkedUrl(options.url ?? env.TROUPE_URL ?? config.url ?? DEFAULT_URL)
  const { key, keyFile } = options
  if (key !== undefined) return { url, key, keySource: '--key' }
  if (keyFile !== undefined) return { url, key: readText(keyFile).trim(), keySource: keyFile }
  if (env.TROUPE_KEY !== undefined && env.TROUPE_KEY !== '') {
    return { url, key: env.TROUPE_KEY, keySource: 'TROUPE_KEY' }
  }
  const isItsAddress = url === checkedUrl(config.url ?? DEFAULT_URL)
  return { url, key: isItsAddress ? config.key : undefined, keySource: path }
}

/** Saves address and key for later calls, readable only by the owner. */
export function writeConfig(path: string, config: ConfigFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  renameSync(unfinished, path)
}

function readConfig(path: string): ConfigFile {
  if (!existsSync(path)) return {}
  const config = parseConfig(path)
  if (config.key !== undefined && (statSync(path).mode & OTHERS) !== 0 && process.platform !== 'win32') {
    throw new CommandError(EXIT.file, `Other users can read the key in ${path}. Run: chmod 600 ${path}`)
  }
  return config
}

function parseConfig(path: string): ConfigFile {
  const text = readText(path)
  try {
    const config = JSON.parse(text) as ConfigFile
    const values = [config.url, config.key]
    if (values.every((value) => value === undefined || typeof value === 'string')) return config
  } catch {
    // Reported below.
  }
  throw new CommandError(EXIT.file, `${path} is not a valid configuration. Run "troupe login" to write a new one.`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(EXIT.file, `Cannot read ${path}: ${(error as Error).message}.`)
  }
}

function checkedUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new CommandError(
      EXIT.usage,
      `"${text}" is not a valid address of a service. Use an address such as ${DEFAULT_URL}.`,
    )
  }
  return url.href.replace(/\/+$/, '')
}
