import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const SCRIPT = join(import.meta.dirname, 'keeper.sh')

/**
 * Sees to it that children end with this process, also when it is killed: a shell of a few hundred kilobytes holds a pipe
 * from us, and ends what we did not end once the pipe closes. It runs in a session of its own, so that neither Ctrl-C nor a
 * kill of our process group takes it along. One per process; it starts with the first child and ends with the last.
 */
class Keeper {
  #shell: ChildProcess | undefined
  readonly #watched = new Set<number>()
  #onStart: (pid: number | undefined) => void = () => {}

  /** Tells the pid of the shell whenever there is a new one: whoever waits for our leftovers waits for it. */
  onStart(listener: (pid: number | undefined) => void): void {
    this.#onStart = listener
  }

  watch(pid: number): void {
    this.#watched.add(pid)
    if (this.#shell === undefined) this.#start()
    else this.#tell(`watch ${pid}`)
  }

  forget(pid: number): void {
    this.#watched.delete(pid)
    if (this.#watched.size > 0) return this.#tell(`forget ${pid}`)
    // An empty list at the end of the pipe lets the shell end by itself.
    this.#tell(`forget ${pid}`)
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  #start(): void {
    const shell = spawn('/bin/sh', [SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
    this.#shell = shell
    // What a dead keeper leaves unread is told to the next one.
    shell.stdin.on('error', () => {})
    shell.unref()
    shell.once('exit', () => {
      if (this.#shell !== shell) return
      this.#shell = undefined
      // Somebody killed the keeper: without one, a kill of this process would leave orphans.
      if (this.#watched.size > 0) this.#start()
    })
    for (const pid of this.#watched) this.#tell(`watch ${pid}`)
    this.#onStart(shell.pid)
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`)
  }
}

/** The keeper of this process. */
export const keeper = new Keeper()
