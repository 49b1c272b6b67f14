import { execFile } from 'node:child_process'
import { mkdir, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SIZE = '3g'
/** What a full disk still takes. */
const REST_KILOBYTES = 64

/** A file system of its own below a server, which can be made full. */
export interface Disk {
  fill: () => Promise<void>
  free: () => Promise<void>
  unmount: () => Promise<void>
}

/** Mounts a file system in memory there; undefined where this process may not (it needs root). */
export async function mountDisk(path: string): Promise<Disk | undefined> {
  await mkdir(path, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', path])
  } catch {
    return undefined
  }
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, path])
  return {
    fill: async () => {
      const { blocks, bfree, bsize } = await statfs(path)
      await resize(`${Math.ceil(((blocks - bfree) * bsize) / 1_024) + REST_KILOBYTES}k`)
    },
    free: async () => void (await resize(SIZE)),
    unmount: async () => void (await run('umount', [path])),
  }
}
