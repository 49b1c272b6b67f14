import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '../../core/errors.ts'
import type { AgentRun } from '../../core/execution.ts'
import { releaseSettled } from '../../store/spending/budgets.ts'
import type { Content } from '../../store/documents.ts'
import type { AppendResult, LedgerEntry, TakeChange } from '../../store/ledger/entry.ts'
import { isServerAway } from '../../store/mongodb/transient.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import type { Progress } from './in-process-runs.ts'
import type { RunSummary } from './outcome.ts'
import type { RunPlace } from './run-place.ts'
import { Stop } from './stop.ts'

export interface AttemptOptions {
  take: TakeChange
  controller: AbortController
  progress: Progress
  /** Whether the run's code may start before this promise resolves. */
  mayEnterUnseen: (taken: Promise<unknown>) => boolean
  /** Whether the run has no records. */
  isFresh: boolean
  /** Called when the run's code starts. */
  onEnter: () => void
  place: RunPlace
}

/** An entry of an attempt; the attempt adds its run and its position. */
export type AttemptEntry = Omit<LedgerEntry, 'jobId' | 'batchId' | 'writer' | 'take'>

/** Number of step notes kept for operators. */
const KEPT_NOTES = 12
const RETRY_MS = [250, 500, 1_000, 2_000, 4_000]

/** A unique name of an attempt. */
export function newAttemptId(): string {
  return randomBytes(4).toString('hex')
}

/**
 * One attempt at an agent run. It takes the run with its first write. Every write for the run, and for the agents that
 * it calls in this worker, goes through it. An attempt that was overtaken or that released the run writes nothing more.
 */
export class Attempt {
  /** A random id; part of its objects' names. */
  readonly id = newAttemptId()
  readonly run: AgentRun
  readonly signal: AbortSignal
  /** Finished steps, for operators. */
  readonly progress: Progress
  /** The attempt's place in the worker, which it leaves while it waits. */
  readonly place: RunPlace
  /** Progress of the run's own agent; undefined before it has begun. */
  summary: RunSummary | undefined
  /** The provider account whose queue the workflow waits in for this attempt, if any. */
  waitsFor: string | undefined
  readonly #deps: ActivityDependencies
  readonly #mayEnterUnseen: AttemptOptions['mayEnterUnseen']
  #onEnter: () => void
  readonly #stop: (reason: Stop) => void
  /** Pending steps of code that are recorded once, by path. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  #take: TakeChange | undefined
  #isFresh: boolean
  #taken: Promise<unknown> = Promise.resolve()
  #letGo = false

  /**
   * Prepares an attempt without writing anything.
   * @param take - the change that the first write makes.
   * @param controller - stops the attempt's work.
   */
  constructor(deps: ActivityDependencies, run: AgentRun, options: AttemptOptions) {
    const { take, controller, progress, mayEnterUnseen, isFresh, onEnter, place } = options
    this.#deps = deps
    this.#mayEnterUnseen = mayEnterUnseen
    this.#onEnter = onEnter
    this.run = run
    this.#isFresh = isFresh
    this.progress = progress
    this.place = place
    this.#take = take
    this.signal = controller.signal
    this.#stop = (reason) => controller.abort(reason)
  }

  /**
   * Whether the run is new: nobody took it before and its code was not entered twice, so there are no records to look
   * up.
   */
  get isFresh(): boolean {
    return this.#isFresh
  }

  /** Marks that the run's code is entered again, so that its earlier steps are looked up in the records. */
  entersAgain(): void {
    this.#isFresh = false
  }

  /** Does the step recorded at `path`, or joins it: the step may still be running when its code is entered again. */
  join<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(path)
    if (known !== undefined) return known as Promise<Result>
    const begun = work().finally(() => this.#underWay.delete(path))
    this.#underWay.set(path, begun)
    return begun
  }

  /**
   * Writes an entry for the run. Entries keep their order.
   * @throws Stop if the attempt no longer holds the run.
   */
  async append(entry: AttemptEntry): Promise<AppendResult> {
    const { settlements } = entry
    let isSettled = false
    try {
      const result = await this.#append(entry)
      isSettled = result.inserted
      return result
    } finally {
      // A step that another attempt recorded, or that came too late, is not written, so its reservation is unused. If
      // this release fails too, the next call that needs the amount releases it, or the end of the execution does.
      if (!isSettled && settlements !== undefined) {
        await releaseSettled(this.#deps.store, settlements).catch(() => undefined)
      }
    }
  }

  async #append(entry: AttemptEntry): Promise<AppendResult> {
    if (this.#letGo) throw new Stop('overtaken', 'The attempt has let go of its run.')
    const take = this.#take
    this.#take = undefined
    const { job, batch, path } = this.run
    const writer = { path, attempt: this.id }
    const writing = this.#deps.ledger.append({ ...entry, jobId: job, batchId: batch, writer, take })
    if (take !== undefined) this.#taken = writing
    const result = await writing
    if (result.overtaken) throw this.overtaken()
    return result
  }

  /**
   * Stops the attempt because it no longer holds the run.
   * @returns the error to throw.
   */
  overtaken(): Stop {
    const stop = new Stop('overtaken', 'Another attempt has taken over, or the execution has ended.')
    this.#stop(stop)
    return stop
  }

  /**
   * Resolves when the run's code may start. A lost worker is counted against the run only if the take was recorded
   * before, or if the next attempt knows of the earlier try. The first try therefore need not wait.
   */
  async mayEnter(): Promise<void> {
    if (!this.#mayEnterUnseen(this.#taken)) await this.isTaken()
    this.signal.throwIfAborted()
    this.#onEnter()
    this.#onEnter = () => undefined
  }

  /** Resolves when the take is recorded. From then on, others see that the attempt holds the run. */
  async isTaken(): Promise<void> {
    await this.#taken
    this.signal.throwIfAborted()
  }

  /**
   * Prepares a value for its record. A large value goes to the object store under a name of this attempt. Paid results
   * wait in memory while the store is unavailable.
   * @param name - name of the object without its extension: `steps/<job>/<path>`.
   */
  put(name: string, value: unknown): Promise<Content> {
    return this.persist(() => this.#deps.contents.put(`${name}.${this.id}.json`, value))
  }

  /** Prepares the value of a step of the run; see {@link put}. */
  putStep(path: string, value: unknown): Promise<Content> {
    return this.put(`steps/${this.run.job}/${path}`, value)
  }

  /**
   * Repeats the work while a server is unavailable, because an agent's code would take the outage for a failure of its
   * work.
   */
  async persist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (!isServerAway(error)) throw error
        const server = codeOf(error) === 'storage_failed' ? 'the object store' : 'MongoDB'
        this.#deps.log.warn({ error: messageOf(error), attempt }, `${server} does not respond; trying again`)
        await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)], undefined, { signal: this.signal })
      }
    }
  }

  /**
   * Notes a finished step.
   * @param since - a time of performance.now().
   */
  note(name: string, since: number, tokens?: number): void {
    const { progress } = this
    const ms = Math.round(performance.now() - since)
    progress.steps.push({ name: name.slice(0, 80), ms, tokens })
    if (progress.steps.length <= KEPT_NOTES) return
    progress.steps.shift()
    progress.earlier += 1
  }

  /**
   * Ends the attempt's writes.
   * @param release - records the release, so that others need not wait for the end of this worker.
   */
  async letGo(release: boolean): Promise<void> {
    if (this.#letGo) return
    // An attempt that never wrote holds nothing.
    const { waitsFor } = this
    const released =
      release && this.#take === undefined ? this.append({ events: [], releases: true, waitsFor }) : undefined
    this.#letGo = true
    await released?.catch(() => undefined)
  }
}
