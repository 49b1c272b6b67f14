import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sayToTerminal as say } from '../../dev/say.ts'
import { runChaos } from './run.ts'

/**
 * `npm run chaos -- --minutes 30 --seed 7`: random load under random faults, then a checker. What happened is left in a folder
 * when something must not have happened, or with `--keep`.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
  },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0) || !Number.isInteger(seed)) {
  say('Give --minutes above 0 and a whole number as --seed.')
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), `troupe-chaos-${seed}-`))
say(`seed ${seed}, ${minutes} min, folder ${folder}`)
const { violations, seen } = await runChaos({ folder, seed, minutes, say })
for (const [what, count] of Object.entries(seen)) process.stdout.write(`${String(count).padStart(8)}  ${what}\n`)
for (const violation of violations.slice(0, 100)) process.stdout.write(`VIOLATION ${violation}\n`)
process.stdout.write(`seed ${seed}: ${violations.length} violations\n`)
if (violations.length === 0 && !values.keep) await rm(folder, { recursive: true, force: true })
process.exitCode = violations.length === 0 ? 0 : 1
