import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { createPrices } from '../agents/prices/create-prices.ts'
import { loadConfig, type Config } from '../config.ts'
import { messageOf } from '../core/errors.ts'
import { buildDashboard } from '../dashboard/build/build-dashboard.ts'
import { dataDirOf } from './data-dir.ts'
import { endOnSignal } from './lifetime.ts'
import { seconds, sayToTerminal as say } from './say.ts'
import { startWholeService, type WholeService } from './whole-service.ts'

const STOP_DEADLINE_MS = 30_000

/** `npm start`: runs the servers, an API and a worker on this machine until Ctrl-C. */
async function main(): Promise<void> {
  const startedAt = Date.now()
  const config = loadConfig()
  // Only the worker uses these settings; checking them here reports mistakes before the servers start.
  createPrices(config.PRICES_FILE)
  const dataDir = dataDirOf(process.env)
  let stop = async () => {}
  endOnSignal(async () => {
    say('\nStopping …')
    await stop()
    say('Stopped. The next start continues unfinished work.')
  }, STOP_DEADLINE_MS)
  say(`Troupe ${version()}`)
  // The service also works without the dashboard.
  await buildDashboard(say).catch((error: unknown) => say(`The dashboard could not be built: ${messageOf(error)}`))
  const service = await startWholeService({
    dataDir,
    environment: process.env,
    host: config.HOST,
    port: config.PORT,
    command: 'npm start',
    say,
  })
  stop = service.stop
  say(`All ready after ${seconds(startedAt)}.\n`)
  process.stdout.write(await summary(service, dataDir, keyOption(config)))
}

async function summary({ url, agents, temporalUi }: WholeService, dataDir: string, key: string): Promise<string> {
  const [dashboard, docs] = await Promise.all([page('Dashboard', `${url}/`), page('API pages', `${url}/docs`)])
  const lines = [
    ...(dashboard === undefined ? [] : [dashboard]),
    ['Address', url],
    ...(agents === undefined ? [] : [['Agents', agents.join(', ') || 'none: put some into AGENTS_DIR']]),
    ['First call', firstCall(url, agents ?? ['assistant'], key)],
    ...(docs === undefined ? [] : [docs]),
    ['Demo', 'npm run demo (in another terminal)'],
    ...(temporalUi === undefined ? [] : [['Temporal', temporalUi]]),
    ['Logs', `${relative(process.cwd(), dataDir) || '.'}/logs/`],
    ['Stop', 'Ctrl-C; the next start continues unfinished work'],
  ]
  return lines.map(([label, text]) => `  ${label!.padEnd(11)} ${text}\n`).join('')
}

/** The curl option for a key. Prints a placeholder, because terminal output may be stored in files. */
function keyOption({ SERVICE_API_KEY, API_KEYS_FILE }: Config): string {
  if (SERVICE_API_KEY.length > 0) return ' -H "X-API-Key: ${SERVICE_API_KEY%%,*}"'
  return API_KEYS_FILE === undefined ? '' : " -H 'X-API-Key: <a key of API_KEYS_FILE>'"
}

function firstCall(url: string, agents: string[], key: string): string {
  const agent = agents.includes('assistant') ? 'assistant' : agents[0]
  if (agent === undefined) return `curl -s${key} ${url}/api/health`
  return `curl -s${key} -G ${url}/api/agents/${agent}/chat --data-urlencode 'message=What time is it in Asia/Tokyo?'`
}

/** A line for a page, if it is available. */
async function page(label: string, address: string): Promise<string[] | undefined> {
  const response = await fetch(address, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.ok ? [label, address] : undefined
}

function version(): string {
  const path = new URL('../package.json', import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

main().catch((error: unknown) => {
  say(messageOf(error))
  process.exit(1)
})
