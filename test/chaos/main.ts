import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sayToTerminal as say } from '../../dev/say.ts'
import { joinCompose } from './compose.ts'
import { runChaos } from './run.ts'
import { startTopology } from './topology.ts'

/**
 * `npm run chaos -- --minutes 30 --seed 7`: random load under random faults, then a checker. What happened is left in a folder
 * when something must not have happened, or with `--keep`. With `--compose` it is not made in processes of its own, but in the
 * containers among which it runs (deploy/prove/chaos.yml).
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
    compose: { type: 'boolean', default: false },
  },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0) || !Number.isInteger(seed)) {
  say('Give --minutes above 0 and a whole number as --seed.')
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), `troupe-chaos-${seed}-`))
say(`seed ${seed}, ${minutes} min, folder ${folder}`)
const topology = values.compose ? await joinCompose(folder) : await startTopology({ folder, apis: 2, workers: 4 })
const { violations, seen } = await runChaos(topology, { folder, seed, minutes, say })
for (const [what, count] of Object.entries(seen)) process.stdout.write(`${String(count).padStart(8)}  ${what}\n`)
for (const violation of violations.slice(0, 100)) process.stdout.write(`VIOLATION ${violation}\n`)
process.stdout.write(`seed ${seed}: ${violations.length} violations\n`)
if (violations.length === 0 && !values.keep) await rm(folder, { recursive: true, force: true })
process.exitCode = violations.length === 0 ? 0 : 1
