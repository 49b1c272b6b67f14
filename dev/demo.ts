import { Troupe } from '../client/index.ts'
import { loadConfig } from '../config.ts'
import { messageOf } from '../core/errors.ts'
import { dataDirOf } from './data-dir.ts'
import { showBatch, showChain, showPrompt, type Print } from './demo/scenes.ts'
import { endOnSignal } from './lifetime.ts'
import { isFree } from './ports.ts'
import { sayToTerminal as say } from './say.ts'
import { keyHeader } from './service-processes.ts'
import { agentNames, reachable, startWholeService } from './whole-service.ts'

const STOP_DEADLINE_MS = 30_000
const print: Print = (line) => process.stdout.write(`${line}\n`)

/** `npm run demo`: a prompt, a chain and a batch with their live streams, on the service that runs here or on one of its own. */
async function main(): Promise<void> {
  const { url, stop } = await theService()
  endOnSignal(stop, STOP_DEADLINE_MS)
  try {
    const troupe = new Troupe({ url, key: keyHeader(process.env)['x-api-key'] })
    await showPrompt(troupe, print)
    await showChain(troupe, print)
    await showBatch(troupe, print)
    print(`\nAll of it is kept: ${url}/api/prompts, ${url}/api/batches, ${url}/api/traces/grouped.`)
  } finally {
    await stop()
  }
}

/** The service at HOST and PORT where one answers, else one that runs for the time of the demo. */
async function theService(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { HOST: host, PORT: port } = loadConfig()
  const url = `http://${reachable(host)}:${port}`
  const agents = await agentNames(url, process.env).catch((error: unknown) => error as Error)
  if (Array.isArray(agents)) {
    say(`Using the service at ${url} (${agents.length} agents).`)
    return { url, stop: async () => {} }
  }
  const taken = !(await isFree(port, host))
  say(taken ? `What is at ${url} is no service to use: ${messageOf(agents)}` : `No service runs at ${url}.`)
  say('Starting one for the demo.')
  return startWholeService({
    dataDir: dataDirOf(process.env),
    environment: process.env,
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
