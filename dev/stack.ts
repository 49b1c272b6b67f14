import { stackFile } from '../config.ts'
import { messageOf } from '../core/errors.ts'
import { dataDirOf, lockDataDir } from './data-dir.ts'
import { startStack } from './embedded-stack.ts'
import { endOnSignal } from './lifetime.ts'
import { sayToTerminal as say } from './say.ts'

const STOP_DEADLINE_MS = 15_000

/** `npm run stack`: runs the three servers until Ctrl-C. */
async function main(): Promise<void> {
  const dataDir = dataDirOf(process.env)
  const lock = await lockDataDir(dataDir, 'npm run stack', say)
  // Until all servers respond, a signal ends only this process, and the keeper ends the servers.
  let stop = async () => {}
  endOnSignal(async () => {
    say('\nStopping the servers …')
    await stop()
  }, STOP_DEADLINE_MS)
  try {
    const stack = await startStack({ dataDir, given: process.env, say, supervised: true, ui: true })
    stop = async () => {
      await stack.stop()
      lock.release()
    }
    say(`The servers answer. Their addresses are in ${stackFile(dataDir)}, their logs in ${dataDir}/logs.`)
    if (stack.environment.TEMPORAL_UI) say(`Temporal's web UI: ${stack.environment.TEMPORAL_UI}`)
    say('Ctrl-C stops them; the next start uses the same data.')
    await forever()
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Keeps the process alive when all servers run elsewhere. */
function forever(): Promise<never> {
  const day = 86_400_000
  return new Promise(() => setInterval(() => {}, day))
}

main().catch((error: unknown) => {
  say(messageOf(error))
  process.exit(1)
})
