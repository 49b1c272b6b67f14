import { readFileSync } from 'node:fs'

/** CPU time and memory that a process has used so far. */
export interface ProcessUse {
  cpuMs: number
  rssBytes: number
}

const MS_PER_TICK = 10

/** Reads the use of another process; Linux only. */
export function processUse(pid: number): ProcessUse {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])]
  const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  return { cpuMs: (userTicks + systemTicks) * MS_PER_TICK, rssBytes: rssKb * 1_024 }
}
