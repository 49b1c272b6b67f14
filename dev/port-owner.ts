import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { runCommand } from './binaries/run-command.ts'

/** The process that listens on a port, for messages: `node api/main.ts (pid 4711)`, or `another process` if unknown. */
export async function portOwner(port: number): Promise<string> {
  const pid = process.platform === 'linux' ? ownerOnLinux(port) : await ownerElsewhere(port)
  return pid === undefined ? 'another process' : `${commandOf(pid) ?? 'a process'} (pid ${pid})`
}

function ownerOnLinux(port: number): number | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningInodes(table, port)))
  if (inodes.size === 0) return undefined
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const owner = pids.find((pid) => openFiles(pid).some((file) => inodes.has(file)))
  return owner === undefined ? undefined : Number(owner)
}

/** Listening sockets of a port, in the format of the links in /proc/<pid>/fd. */
function listeningInodes(table: string, port: number): string[] {
  const listening = '0A'
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return read(table)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === listening)
    .map((fields) => `socket:[${fields[9]}]`)
}

function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((number) => readlinkSync(`/proc/${pid}/fd/${number}`))
  } catch {
    // The process belongs to another user or has just ended.
    return []
  }
}

function commandOf(pid: number): string | undefined {
  const [program, ...rest] = read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean)
  // Only the script, because other arguments may be long or secret.
  const script = rest.findLast((word) => /\.(?:[cm]?[jt]s|py|rb|jar)$/.test(word))
  return program === undefined ? undefined : [basename(program), script].filter(Boolean).join(' ')
}

async function ownerElsewhere(port: number): Promise<number | undefined> {
  const pid = await runCommand('lsof', ['-nP', '-t', `-iTCP:${port}`, '-sTCP:LISTEN']).catch(() => '')
  return pid === '' ? undefined : Number(pid.split('\n')[0])
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
