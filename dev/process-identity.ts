import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process told apart from a later one that got the same pid. */
export interface ProcessIdentity {
  pid: number
  /** When it began, as the system tells it; only ever compared. */
  began: string
}

/** The identity of a process that lives; `undefined` where there is none, or only its remains. */
export function identify(pid: number): ProcessIdentity | undefined {
  const began = process.platform === 'linux' ? beganOnLinux(pid) : beganElsewhere(pid)
  return began === undefined ? undefined : { pid, began }
}

/** Whether that very process still lives. */
export function lives({ pid, began }: ProcessIdentity): boolean {
  return identify(pid)?.began === began
}

function beganOnLinux(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything; the fields after it are fixed: state is the first, start time the 20th.
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
