import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The scripts with their descriptions, in the order of running; each prints a table and writes `bench-<name>.json`. */
const SCRIPTS: Record<string, { what: string; arguments: string[] }> = {
  engine: { what: 'S1 to S3 against the bare engine', arguments: ['3'] },
  reads: { what: 'S4: reads with 50,000 and 1,000,000 events', arguments: [] },
  streams: { what: 'S5: from the commit to the socket', arguments: [] },
  dashboard: { what: 'The dashboard: 100,000 events, 50,000 tasks', arguments: [] },
  'live-text': { what: 'S8: 500 runs with watched live model output', arguments: [] },
  'provider-limit': { what: 'A key of ten requests a second, from four workers', arguments: [] },
  'provider-outage': { what: 'A provider that is unavailable for a minute', arguments: ['--minutes', '1'] },
  'concurrent-runs': { what: 'S7: a thousand concurrent runs on one worker', arguments: [] },
  memory: { what: 'S6: memory and start-up time', arguments: ['--large'] },
}

/** `npm run bench`: runs all scenarios one after the other. `npm run bench -- reads streams` runs only these. */
const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.filter((name) => !Object.hasOwn(SCRIPTS, name))
if (unknown.length > 0) {
  process.stderr.write(`Unknown scenario ${unknown.join(', ')}; choose from ${Object.keys(SCRIPTS).join(', ')}.\n`)
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
