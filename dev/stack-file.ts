import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { stackFile } from '../config.ts'

/** Environment variables for processes that use the servers. */
export type StackEnvironment = Record<string, string>

/** Writes stack.env atomically and readable only by its owner, because it contains the S3 secret. */
export function writeStackFile(dataDir: string, environment: StackEnvironment): void {
  mkdirSync(dataDir, { recursive: true })
  const path = stackFile(dataDir)
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, lines.join(''), { mode: 0o600 })
  renameSync(temporary, path)
}
