import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isObject } from '../../core/json.ts'
import type { Say } from '../../dev/say.ts'
import { startApi, startWorker } from '../support/processes.ts'
import { startStack } from '../support/stack.ts'

/** The version whose checks the service is known to pass. */
const SCHEMATHESIS = 'schemathesis==4.32.5'
const CONFIGURATION = new URL('schemathesis.toml', import.meta.url).pathname

/** Runs schemathesis over the OpenAPI document of a whole service that has a key. Gives its exit code. */
export async function fuzzHttp({ seed, minutes, say }: { seed: number; minutes: number; say: Say }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-fuzz-'))
  const stack = await startStack()
  const key = 'fuzz'
  const prices = join(folder, 'prices.json')
  // Budgets in money hold only for models that have a price.
  await writeFile(prices, JSON.stringify({ scripted: { input: 1, output: 1 } }))
  const env = { ...stack.env, SERVICE_API_KEY: key, PRICES_FILE: prices, LOG_LEVEL: 'error' }
  const [api, worker] = await Promise.all([startApi({ env }), startWorker({ env })])
  try {
    const python = join(folder, 'python')
    say(`installing ${SCHEMATHESIS}`)
    await run('python3', ['-m', 'venv', python])
    await run(join(python, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', SCHEMATHESIS])
    const time = ['--max-time', String(Math.ceil(minutes * 60)), '--seed', String(seed)]
    const document = join(folder, 'openapi.json')
    await writeFile(document, JSON.stringify(await documentWithoutCursors(api.url)))
    const target = ['run', document, '--url', api.url, '-H', `X-API-Key: ${key}`]
    const given = ['--config-file', CONFIGURATION, ...target, ...time]
    return await run(join(python, 'bin', 'schemathesis'), given, folder)
  } finally {
    await Promise.all([api.stop(), worker.stop()])
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The OpenAPI document but for cursors: only those that a list gave are right, and never together with an offset. */
async function documentWithoutCursors(url: string): Promise<unknown> {
  const text = await (await fetch(`${url}/openapi.json`)).text()
  return JSON.parse(text, (_key, value: unknown) =>
    Array.isArray(value) ? value.filter((item) => !isCursor(item)) : value,
  )
}

function isCursor(parameter: unknown): boolean {
  return isObject(parameter) && parameter.in === 'query' && parameter.name === 'cursor'
}

async function run(command: string, parameters: string[], cwd?: string): Promise<number> {
  const child = spawn(command, parameters, { stdio: 'inherit', cwd })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
