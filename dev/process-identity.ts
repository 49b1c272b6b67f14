import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Identifies a process, even if its pid is reused later. */
export interface ProcessIdentity {
  pid: number
  /** Start time in the format of the system, for comparison only. */
  began: string
}

/** The identity of a living process; `undefined` if there is none, or it is a zombie. */
export function identify(pid: number): ProcessIdentity | undefined {
  const began = process.platform === 'linux' ? beganOnLinux(pid) : beganElsewhere(pid)
  return began === undefined ? undefined : { pid, began }
}

/** Whether this process is still alive. */
export function lives({ pid, began }: ProcessIdentity): boolean {
  return identify(pid)?.began === began
}

function beganOnLinux(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may contain any characters. After it, the state is the first field, the start time the 20th.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function beganElsewhere(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
