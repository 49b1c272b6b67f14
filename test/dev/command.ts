import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keeper } from '../../dev/keeper.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'

const ROOT = join(import.meta.dirname, '../..')
const POLL_MS = 25

/** A command under test, as a person would run it. */
export interface Command {
  pid: number
  /** All that it printed so far. */
  output: () => string
  /** Waits until it printed something, and gives the match. */
  printed: (pattern: RegExp) => Promise<RegExpMatchArray>
  /** Sends a signal to the process itself. */
  signal: (signal: NodeJS.Signals) => void
  /** Resolves with exit code or signal. */
  ended: Promise<number | string>
}

/** Runs a program at the root of the repository with nothing but the given settings in its environment. */
export function runCommand(program: string, args: string[], env: Record<string, string>): Command {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pid = child.pid!
  // A test run that is interrupted takes its commands along.
  keeper.watch(pid)
  let text = ''
  let over = false
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part))
  const ended = once(child, 'close').then(([code, signal]) => {
    over = true
    keeper.forget(pid)
    return (code ?? signal) as number | string
  })
  return {
    pid,
    output: () => text,
    printed: async (pattern) => {
      for (;;) {
        const match = text.match(pattern)
        if (match !== null) return match
        if (over) throw new Error(`It ended without printing ${pattern}:\n${text}`)
        await delay(POLL_MS)
      }
    },
    signal: (signal) => child.kill(signal),
    ended,
  }
}

/** Waits until a process is gone. */
export async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await delay(POLL_MS)
  }
}
