import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** What a process needs to reach the servers: names and values of environment variables. */
export type StackEnvironment = Record<string, string>

/** Where the embedded stack says how it is reached. */
export function stackFile(dataDir: string): string {
  return join(dataDir, 'stack.env')
}

/** What an earlier run wrote; empty where there was none. */
export function readStackFile(dataDir: string): StackEnvironment {
  const path = stackFile(dataDir)
  return existsSync(path) ? (parseEnv(readFileSync(path, 'utf8')) as StackEnvironment) : {}
}

/** Writes stack.env whole or not at all, readable by its owner only: it holds the S3 secret. */
export function writeStackFile(dataDir: string, environment: StackEnvironment): void {
  mkdirSync(dataDir, { recursive: true })
  const path = stackFile(dataDir)
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, lines.join(''), { mode: 0o600 })
  renameSync(temporary, path)
}
