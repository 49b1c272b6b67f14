import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** What each script measures, in the order in which they run; each prints a table and writes `bench-<name>.json`. */
const SCRIPTS: Record<string, { what: string; arguments: string[] }> = {
  engine: { what: 'S1 to S3 against the bare engine', arguments: ['3'] },
  reads: { what: 'S4: reads with 50,000 and 1,000,000 events', arguments: [] },
  streams: { what: 'S5: from the commit to the socket', arguments: [] },
  dashboard: { what: 'The dashboard: 100,000 events, 50,000 tasks', arguments: [] },
  'live-text': { what: 'S8: 500 runs whose answers are watched while they are written', arguments: [] },
  'provider-limit': { what: 'A key of ten requests a second, from four workers', arguments: [] },
  'provider-outage': { what: 'A provider that is away for a minute', arguments: ['--minutes', '1'] },
  'concurrent-runs': { what: 'S7: a thousand runs in flight on one worker', arguments: [] },
  memory: { what: 'S6: memory and start-up time', arguments: ['--large'] },
}

/** `npm run bench`: every scenario, one after the other. `npm run bench -- reads streams` runs those only. */
const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.filter((name) => !Object.hasOwn(SCRIPTS, name))
if (unknown.length > 0) {
  process.stderr.write(`There is no scenario ${unknown.join(', ')}: choose of ${Object.keys(SCRIPTS).join(', ')}.\n`)
  process.exitCode = 2
} else {
  for (const [name, script] of Object.entries(SCRIPTS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    process.stdout.write(`\n${script.what} (load average ${loadavg()[0]?.toFixed(2)})\n`)
    const file = join(import.meta.dirname, `${name}.ts`)
    const [code] = (await once(spawn(process.execPath, [file, ...script.arguments], { stdio: 'inherit' }), 'exit')) as [
      number | null,
    ]
    if (code !== 0) process.exitCode = 1
  }
}
