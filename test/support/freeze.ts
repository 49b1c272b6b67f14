import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Stops a process where it stands, and waits until each of its threads stands: one may answer for some milliseconds more. */
export async function freezeWhole(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  while (!(await standsStill(pid))) await sleep(5)
}

async function standsStill(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`)
  const states = await Promise.all(threads.map((thread) => stateOf(`/proc/${pid}/task/${thread}/stat`)))
  return states.every((state) => state === 'T')
}

/** The letter behind the name, which is in brackets and may hold some itself. */
async function stateOf(path: string): Promise<string> {
  // A thread that has ended meanwhile stands, too.
  const stat = await readFile(path, 'utf8').catch(() => ') T')
  return stat.slice(stat.lastIndexOf(')') + 2).slice(0, 1)
}
