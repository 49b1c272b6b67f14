#!/usr/bin/env node
// Starts on any Node version. TypeScript needs Node 22.18 or newer, which `npm ci` installs.
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
  // A terminal sends signals to both processes; this forwards signals that only this process receives.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => process.exit(code ?? 1))
} else {
  process.stderr.write(
    `troupe needs Node 22.18 or newer; this is ${process.versions.node}. Run "npm ci", which installs one.\n`,
  )
  process.exit(1)
}
