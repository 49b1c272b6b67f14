import { join } from 'node:path'
import { Troupe } from '../client/index.ts'
import { loadConfig } from '../config.ts'
import { messageOf } from '../core/errors.ts'
import { dataDirOf } from './data-dir.ts'
import { showBatch, showChain, showPrompt, type Screen } from './demo/scenes.ts'
import { endOnSignal } from './lifetime.ts'
import { isFree } from './ports.ts'
import { sayToTerminal as say } from './say.ts'
import { keyHeader } from './service-processes.ts'
import { agentNames, reachable, startWholeService } from './whole-service.ts'

const STOP_DEADLINE_MS = 30_000
let isInLine = false
const screen: Screen = {
  line(text) {
    process.stdout.write(`${isInLine ? '\n' : ''}${text}\n`)
    isInLine = false
  },
  piece(text) {
    process.stdout.write(text)
    isInLine = true
  },
}
/** Scripted models are free; the demo gives them the price of a small model to show costs. */
const PRICES_FILE = join(import.meta.dirname, 'demo/prices.json')

/** `npm run demo`: shows a prompt, a chain and a batch with live streams, live model output and costs, on the running service or a temporary one. */
async function main(): Promise<void> {
  const { url, stop } = await theService()
  endOnSignal(stop, STOP_DEADLINE_MS)
  try {
    const troupe = new Troupe({ url, key: keyHeader(process.env)['x-api-key'] })
    await showPrompt(troupe, screen)
    await showChain(troupe, screen)
    await showBatch(troupe, screen)
    screen.line(`\nEverything is stored: ${url}/api/prompts, ${url}/api/batches, ${url}/api/traces/grouped.`)
  } finally {
    await stop()
  }
}

/** The service at HOST and PORT if it responds, otherwise a temporary one. */
async function theService(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { HOST: host, PORT: port } = loadConfig()
  const url = `http://${reachable(host)}:${port}`
  const agents = await agentNames(url, process.env).catch((error: unknown) => error as Error)
  if (Array.isArray(agents)) {
    say(`Using the service at ${url} (${agents.length} agents).`)
    return { url, stop: async () => {} }
  }
  const taken = !(await isFree(port, host))
  say(
    taken
      ? `The service at ${url} cannot be used: ${messageOf(agents ?? 'it requires a key')}`
      : `No service runs at ${url}.`,
  )
  say('Starting a service for the demo; scripted models have the price of a small model (dev/demo/prices.json).')
  return startWholeService({
    dataDir: dataDirOf(process.env),
    environment: { PRICES_FILE, ...process.env },
    host,
    port: taken ? 0 : port,
    command: 'npm run demo',
    say,
  })
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(messageOf(error))
    process.exit(1)
  },
)
