// Prepares a clone, then prints the path of the Node to run it with (stdout; messages go to stderr). Runs on any Node
// version before packages are installed, so it has no dependencies and no TypeScript.
// With --production, development packages may be missing if the installed Node is new enough.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const ROOT = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const LOCAL_NODE = join(ROOT, 'node_modules/.bin/node')
const LOCK = join(ROOT, '.data/setup.lock')
/** The first Node version that runs TypeScript without compilation. */
const OLDEST = [22, 18]
const REMINDER_MS = 10_000

const production = process.argv.includes('--production') && isNewEnough()

await main()

async function main() {
  if (problem() !== undefined) await once(install)
  process.stdout.write(existsSync(LOCAL_NODE) ? LOCAL_NODE : process.execPath)
}

/** A sentence that describes the problem of node_modules; undefined when it matches package-lock.json. */
function problem() {
  const wanted = readLock(join(ROOT, 'package-lock.json'))
  const installed = readLock(join(ROOT, 'node_modules/.package-lock.json'))
  if (installed === undefined) return 'The packages are not installed yet.'
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || entry.link) continue
    const version = installed[path]?.version
    const mayMiss = entry.optional || entry.peer || entry.devOptional || (production && entry.dev)
    if (version === undefined ? !mayMiss : version !== entry.version)
      return 'The packages are not those of package-lock.json.'
  }
  if (!existsSync(LOCAL_NODE) && !isNewEnough()) return 'Node 24 is not installed yet.'
  return undefined
}

function readLock(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

async function install() {
  const reason = problem()
  if (reason === undefined) return
  say(`${reason} Running npm ci (about a minute) …`)
  const startedAt = Date.now()
  const timer = setInterval(() => say(`npm ci … ${Math.round((Date.now() - startedAt) / 1000)} s`), REMINDER_MS)
  const code = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  // npm may be configured to skip install scripts, but the script of the package "node" downloads the program.
  if (code === 0 && !existsSync(LOCAL_NODE))
    await npm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
  clearInterval(timer)
  const left = code === 0 ? problem() : `npm ci failed (exit code ${code}); its own words are above.`
  if (left !== undefined) fail(left)
  say(`The packages are installed (${Math.round((Date.now() - startedAt) / 1000)} s).`)
}

/** Runs npm with its output on stderr, the same npm that runs this script if there is one; resolves with its exit code. */
function npm(args) {
  const own = process.env.npm_execpath
  const [command, first] = own?.endsWith('.js') ? [process.execPath, [own]] : ['npm', []]
  return new Promise((resolve) => {
    const child = spawn(command, [...first, ...args], { cwd: ROOT, stdio: ['ignore', 2, 2] })
    child.once('error', (error) => fail(`npm could not be run: ${error.message}`))
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
}

/** Runs work while no other setup of this clone runs; ignores the lock of a dead process. */
async function once(work) {
  mkdirSync(join(ROOT, '.data'), { recursive: true })
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (!isAlive(Number(readFileSync(LOCK, 'utf8')))) rmSync(LOCK, { force: true })
      else if (!waited) say('Another command is installing the packages; waiting for it.')
      await delay(200)
    }
  }
  const release = () => rmSync(LOCK, { force: true })
  process.once('exit', release)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
  await work()
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function fail(sentence) {
  say(sentence)
  process.exit(1)
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}
