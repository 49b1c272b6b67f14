import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { stackFile } from '../config.ts'

/** What a process needs to reach the servers: names and values of environment variables. */
export type StackEnvironment = Record<string, string>

/** Writes stack.env whole or not at all, readable by its owner only: it holds the S3 secret. */
export function writeStackFile(dataDir: string, environment: StackEnvironment): void {
  mkdirSync(dataDir, { recursive: true })
  const path = stackFile(dataDir)
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, lines.join(''), { mode: 0o600 })
  renameSync(temporary, path)
}
