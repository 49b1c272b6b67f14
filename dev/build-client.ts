import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { runToEnd } from './run-to-end.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** `npm run build:client`: builds the client as a package; compiled, because Node does not strip types in packages. */
async function main(): Promise<void> {
  const target = process.argv[2] ?? join(ROOT, 'dist/client')
  await rm(target, { recursive: true, force: true })
  const code = await runToEnd('tsc', ['-p', join(ROOT, 'client'), '--outDir', target])
  if (code !== 0) throw new Error(`tsc failed (exit code ${code}).`)
  const description = JSON.parse(await readFile(join(ROOT, 'client/package.json'), 'utf8')) as object
  const { version } = packageJson
  await writeFile(join(target, 'package.json'), `${JSON.stringify({ ...description, version }, null, 2)}\n`)
  await copyFile(join(ROOT, 'docs/client.md'), join(target, 'README.md'))
  process.stdout.write(`${target}\n`)
}

await main()
