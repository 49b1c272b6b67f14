import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const SCRIPT = join(import.meta.dirname, 'keeper.sh')

/**
 * Ends child processes when this process ends, even if it is killed: a small shell reads a pipe from this process, and ends the
 * remaining children when the pipe closes. The shell runs in its own session, so that neither Ctrl-C nor a
 * kill of the process group ends it. It starts with the first child and ends with the last.
 */
class Keeper {
  #shell: ChildProcess | undefined
  readonly #watched = new Set<number>()
  #onStart: (pid: number | undefined) => void = () => {}

  /** Called with the pid of each new shell; a successor of this process waits for its end. */
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
    // The shell ends when the pipe closes and no process is watched.
    this.#tell(`forget ${pid}`)
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  #start(): void {
    const shell = spawn('/bin/sh', [SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
    this.#shell = shell
    // The next keeper gets all commands again, so write errors to a dead one are ignored.
    shell.stdin.on('error', () => {})
    shell.unref()
    shell.once('exit', () => {
      if (this.#shell !== shell) return
      this.#shell = undefined
      // The keeper was killed. Restart it, because without it, a kill of this process would leave orphans.
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
