import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { keeper } from './keeper.ts'

export interface ProcessSpec {
  /** Name for messages: mongod, temporal, api. */
  name: string
  command: string
  arguments: string[]
  /** The whole environment of the process. */
  environment: NodeJS.ProcessEnv
  workingDirectory?: string
  /** File for stdout and stderr; the log of an earlier run is kept as `<logFile>.1`. */
  logFile: string
  /** Resolves when the process responds; repeated until it does not throw. */
  answers: () => Promise<void>
  /** How long the process may take to respond after its start. */
  startTimeoutMs: number
  /** How long the process may take to end after SIGTERM. */
  stopTimeoutMs: number
}

/** How a process ended. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
}

const POLL_MS = 50

/** A child process with a log file, a readiness check and a reliable end. */
export class ManagedProcess {
  readonly spec: ProcessSpec
  #child: ChildProcess | undefined
  #ended: Promise<Ending> = Promise.resolve({ code: null, signal: null })

  constructor(spec: ProcessSpec) {
    this.spec = spec
    if (existsSync(spec.logFile)) renameSync(spec.logFile, `${spec.logFile}.1`)
  }

  /** Process id while the process runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Resolves when the current run ends. */
  get ended(): Promise<Ending> {
    return this.#ended
  }

  /**
   * Starts the process and waits until it responds.
   * @throws Error with the last lines of its log when it ends or does not respond in time.
   */
  async start(): Promise<void> {
    this.#spawn()
    const deadline = Date.now() + this.spec.startTimeoutMs
    for (;;) {
      const problem = await this.spec.answers().then(
        () => undefined,
        (error: unknown) => error,
      )
      if (this.#child === undefined)
        throw new Error(this.#sentence(`ended at its start (${describe(await this.#ended)})`))
      if (problem === undefined) return
      if (Date.now() > deadline) {
        await this.kill()
        const seconds = this.spec.startTimeoutMs / 1_000
        throw new Error(this.#sentence(`did not answer within ${seconds} s`), { cause: problem })
      }
      await delay(POLL_MS)
    }
  }

  /** Sends SIGTERM, and SIGKILL after a timeout; resolves when the process has ended. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), this.spec.stopTimeoutMs)
    await this.#ended
    clearTimeout(timer)
  }

  /** Sends SIGKILL; resolves when the process has ended. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#ended
  }

  /** The last lines of the log, at most `lines`. */
  logTail(lines = 20): string {
    if (!existsSync(this.spec.logFile)) return ''
    return readFileSync(this.spec.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  }

  #spawn(): void {
    if (this.#child !== undefined) throw new Error(`${this.spec.name} runs already.`)
    const log = openSync(this.spec.logFile, 'a')
    const child = spawn(this.spec.command, this.spec.arguments, {
      env: this.spec.environment,
      cwd: this.spec.workingDirectory,
      stdio: ['ignore', log, log],
      // A separate session, so that Ctrl-C reaches only this process, which ends its children in order.
      detached: true,
    })
    closeSync(log)
    this.#child = child
    const { pid } = child
    if (pid !== undefined) keeper.watch(pid)
    this.#ended = ending(child).then((how) => {
      this.#child = undefined
      if (pid !== undefined) keeper.forget(pid)
      return how
    })
  }

  #sentence(what: string): string {
    const tail = this.logTail()
    return `${this.spec.name} ${what}. ${tail === '' ? 'It logged nothing.' : `Its log (${this.spec.logFile}) ends:\n${tail}`}`
  }
}

/** Describes how a process ended. */
export function describe({ code, signal }: Ending): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`
}

async function ending(child: ChildProcess): Promise<Ending> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return { code, signal }
  } catch {
    // The program could not be started.
    return { code: 127, signal: null }
  }
}
