import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const ROOT = join(import.meta.dirname, '../..')
const OUTPUT = join(ROOT, 'dist/dashboard')
/** What the build is made from. */
const SOURCES = ['dashboard', 'client', 'core', 'package-lock.json']
const COMPRESSIBLE = /\.(html|js|css|svg)$/
/** A larger quality costs seconds for a percent. */
const BROTLI_QUALITY = 10

/**
 * Builds the dashboard into `dist/dashboard` when that is missing, or was made from other sources.
 * @param say - told when it begins and when it is done.
 * @returns whether it was built.
 */
export async function buildDashboard(say: (sentence: string) => void): Promise<boolean> {
  const hash = await sourceHash()
  const built = await builtHash()
  if (built === hash) return false
  say(`The dashboard is ${built === undefined ? 'not built yet' : 'old'}; building it (some seconds) …`)
  const startedAt = Date.now()
  // Built aside and moved: a service that is running never serves half of it.
  const aside = `${OUTPUT}.${process.pid}`
  const { build } = await import('vite')
  await build({
    configFile: join(ROOT, 'dashboard/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: aside, emptyOutDir: true },
  })
  await compressAll(aside)
  await writeFile(join(aside, 'build.json'), `${JSON.stringify({ hash })}\n`)
  await moveInto(aside, hash)
  say(`The dashboard is built (${((Date.now() - startedAt) / 1_000).toFixed(1)} s).`)
  return true
}

/** What the build that is there was made from; undefined without one. */
async function builtHash(): Promise<string | undefined> {
  const built = await readFile(join(OUTPUT, 'build.json'), 'utf8').catch(() => undefined)
  return built === undefined ? undefined : (JSON.parse(built) as { hash: string }).hash
}

/** Puts a build in its place, unless another process that built the same was faster. */
async function moveInto(aside: string, hash: string): Promise<void> {
  const old = `${aside}.old`
  if ((await builtHash()) !== hash) {
    // Moved, not deleted file by file: others may be doing the same.
    await rename(OUTPUT, old).catch(() => undefined)
    await rename(aside, OUTPUT).catch(async (error: unknown) => {
      if ((await builtHash()) !== hash) throw error
    })
  }
  await Promise.all([aside, old].map((folder) => rm(folder, { recursive: true, force: true })))
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await filesOf(join(ROOT, source))) {
      hash
        .update(relative(ROOT, file))
        .update('\0')
        .update(await readFile(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (entries === undefined) return [path]
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.sort()
}

/** Compressed once, here: the service sends the files as they are. */
async function compressAll(folder: string): Promise<void> {
  const files = (await filesOf(folder)).filter((file) => COMPRESSIBLE.test(file))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}
