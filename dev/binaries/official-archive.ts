import { createWriteStream } from 'node:fs'
import { setGlobalProxyFromEnv } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '../../core/errors.ts'
import { runCommand } from './run-command.ts'
import type { Way } from './program.ts'

/** Timeout for the start of the response, for networks that drop connections silently. */
const ANSWER_TIMEOUT_MS = 8_000
/** Timeout of the whole download. */
const DOWNLOAD_TIMEOUT_MS = 600_000

/**
 * Downloads and unpacks the archive (.tar.gz) of the vendor.
 * @param url - returns the URL of the archive; called only when this way is tried.
 * @param inside - path of the program in the unpacked archive; `*` matches one folder.
 */
export function officialArchive(url: () => Promise<string>, inside: string): Way {
  return {
    title: 'downloading it from its vendor',
    get: async (folder) => {
      const archive = join(folder, 'archive.tar.gz')
      await download(await url(), archive)
      await runCommand('tar', ['-xzf', archive, '-C', folder])
      const found = await runCommand('/bin/sh', ['-c', `ls -d ${inside}`], { workingDirectory: folder })
      return join(folder, found)
    },
  }
}

async function download(url: string, path: string): Promise<void> {
  // fetch does not use HTTPS_PROXY by default.
  const restoreProxy = setGlobalProxyFromEnv()
  const slow = new AbortController()
  const timer = setTimeout(
    () => slow.abort(new Error(`no answer within ${ANSWER_TIMEOUT_MS / 1_000} s`)),
    ANSWER_TIMEOUT_MS,
  )
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([slow.signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]),
    })
    clearTimeout(timer)
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path))
  } catch (error) {
    const reason = (error as { cause?: unknown }).cause ?? error
    throw new Error(`${new URL(url).host} refused the download (${messageOf(reason)})`, { cause: error })
  } finally {
    clearTimeout(timer)
    restoreProxy()
  }
}
