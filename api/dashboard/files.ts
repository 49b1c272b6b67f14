import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

/** The folder of the build, next to the workflow bundle. */
export const DASHBOARD_FOLDER = join(import.meta.dirname, '../../dist/dashboard')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file of the dashboard. */
export interface DashboardFile {
  type: string
  etag: string
  content: Buffer
  /** The compressed content. */
  br: Buffer | undefined
  gzip: Buffer | undefined
}

/** Returns the files of the dashboard by path; undefined until it is built. */
export type DashboardFiles = () => Promise<ReadonlyMap<string, DashboardFile> | undefined>

/** Keeps the few, small files of the build in memory, and reloads them after a new build. */
export function dashboardFiles(folder: string): DashboardFiles {
  let known: { builtAt: number; files: Promise<Map<string, DashboardFile>> } | undefined
  return async () => {
    const build = await stat(join(folder, 'build.json')).catch(() => undefined)
    if (build === undefined) return undefined
    if (known?.builtAt !== build.mtimeMs) known = { builtAt: build.mtimeMs, files: readAll(folder) }
    return known.files.catch(() => {
      // A new build is replacing the files; the next request reads them.
      known = undefined
      return undefined
    })
  }
}

async function readAll(folder: string): Promise<Map<string, DashboardFile>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = new Map<string, DashboardFile>()
  for (const path of paths) {
    const type = TYPES[extname(path)]
    if (type === undefined) continue
    const content = await readFile(path)
    files.set(`/${relative(folder, path).split(sep).join('/')}`, {
      type,
      content,
      etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
      br: await readFile(`${path}.br`).catch(() => undefined),
      gzip: await readFile(`${path}.gz`).catch(() => undefined),
    })
  }
  return files
}
