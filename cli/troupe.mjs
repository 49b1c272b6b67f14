#!/usr/bin/env node
// The command line starts on whatever Node the machine has; TypeScript needs 22.18 or newer, which `npm ci` brings along.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const localNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

if (major > 22 || (major === 22 && minor >= 18)) {
  module.enableCompileCache()
  await import('./main.ts')
} else if (existsSync(localNode)) {
  const child = spawn(localNode, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal tells both; a signal that is sent to this process alone is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => process.exit(code ?? 1))
} else {
  process.stderr.write(
    `troupe needs Node 22.18 or newer; this is ${process.versions.node}. Run "npm ci" first: it brings one.\n`,
  )
  process.exit(1)
}
