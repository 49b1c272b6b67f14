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
  /** Whether the run's code may be entered before this is resolved. */
  mayEnterUnseen: (taken: Promise<unknown>) => boolean
  /** Whether nothing of the run can be recorded. */
  isFresh: boolean
  /** Called when the run's code is entered. */
  onEnter: () => void
  place: RunPlace
}

/** What an attempt writes; whom and what for it adds itself. */
export type AttemptEntry = Omit<LedgerEntry, 'jobId' | 'batchId' | 'writer' | 'take'>

/** Steps whose notes are kept for operators. */
const KEPT_NOTES = 12
const RETRY_MS = [250, 500, 1_000, 2_000, 4_000]

/** A name that no other attempt has. */
export function newAttemptId(): string {
  return randomBytes(4).toString('hex')
}

/**
 * One attempt at an agent run: it takes the run with its first write, and everything that is written for the run and for the
 * agents that it calls in this worker goes through it. An attempt that was overtaken, or let go, writes nothing any more.
 */
export class Attempt {
  /** Random; part of the names of its objects. */
  readonly id = newAttemptId()
  readonly run: AgentRun
  readonly signal: AbortSignal
  /** What was done, for operators. */
  readonly progress: Progress
  /** Its place in the worker, which its waits leave. */
  readonly place: RunPlace
  /** How far the run's own agent is; undefined before it has begun. */
  summary: RunSummary | undefined
  /** The provider's account that it leaves the waiting for to its workflow, if it does. */
  waitsFor: string | undefined
  readonly #deps: ActivityDependencies
  readonly #mayEnterUnseen: AttemptOptions['mayEnterUnseen']
  #onEnter: () => void
  readonly #stop: (reason: Stop) => void
  /** What code has begun that is recorded once, by path. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  #take: TakeChange | undefined
  #isFresh: boolean
  #taken: Promise<unknown> = Promise.resolve()
  #letGo = false

  /**
   * Prepares an attempt; nothing is written yet.
   * @param take - the change that its first write makes.
   * @param controller - stops what it does.
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

  /** Nobody has taken the run before, and none of its code was entered twice: nothing is recorded that need be looked for. */
  get isFresh(): boolean {
    return this.#isFresh
  }

  /** Code of the run is entered again: what it did before is recorded. */
  entersAgain(): void {
    this.#isFresh = false
  }

  /** Does what is recorded at `path`, or joins it: it may be under way still when the code that began it is entered again. */
  join<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#underWay.get(path)
    if (known !== undefined) return known as Promise<Result>
    const begun = work().finally(() => this.#underWay.delete(path))
    this.#underWay.set(path, begun)
    return begun
  }

  /**
   * Writes for the run. Entries keep their order.
   * @throws Stop when the attempt does not hold the run any more.
   */
  async append(entry: AttemptEntry): Promise<AppendResult> {
    const { settlements } = entry
    let isSettled = false
    try {
      const result = await this.#append(entry)
      isSettled = result.inserted
      return result
    } finally {
      // Of a step that another attempt recorded, or that comes too late, nothing is written: what was reserved for it is not used.
      // Where that fails, too, it is given back by who lacks it, or with the end of the execution.
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

  /** Stops all that the attempt does: it does not hold the run any more. @returns what is to be thrown */
  overtaken(): Stop {
    const stop = new Stop('overtaken', 'Another attempt has taken over, or the execution has ended.')
    this.#stop(stop)
    return stop
  }

  /**
   * Resolves when the run's code may be entered. What takes its worker along at once is counted only when the take was recorded
   * before, or when whoever comes next knows that there was a try: the first one need not wait for that.
   */
  async mayEnter(): Promise<void> {
    if (!this.#mayEnterUnseen(this.#taken)) await this.isTaken()
    this.signal.throwIfAborted()
    this.#onEnter()
    this.#onEnter = () => undefined
  }

  /** Resolves when the take is recorded: from then on others see that the attempt holds the run. */
  async isTaken(): Promise<void> {
    await this.#taken
    this.signal.throwIfAborted()
  }

  /**
   * Makes a value ready to be recorded; a large one goes to the object store, under a name of this attempt's own. What was paid
   * for waits here, in memory, as long as the store is away.
   * @param name - of the object without its extension: `steps/<job>/<path>`.
   */
  put(name: string, value: unknown): Promise<Content> {
    return this.persist(() => this.#deps.contents.put(`${name}.${this.id}.json`, value))
  }

  /** The same for a step of the run. */
  putStep(path: string, value: unknown): Promise<Content> {
    return this.put(`steps/${this.run.job}/${path}`, value)
  }

  /** Does it again while a server is away: to an agent's code its absence would look like a failure of the work. */
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

  /** Notes a step that is done. @param since - of performance.now() */
  note(name: string, since: number, tokens?: number): void {
    const { progress } = this
    const ms = Math.round(performance.now() - since)
    progress.steps.push({ name: name.slice(0, 80), ms, tokens })
    if (progress.steps.length <= KEPT_NOTES) return
    progress.steps.shift()
    progress.earlier += 1
  }

  /** Writes nothing any more. @param release - tells others, which then need not wait for this worker's end. */
  async letGo(release: boolean): Promise<void> {
    if (this.#letGo) return
    // What never wrote holds nothing.
    const { waitsFor } = this
    const released =
      release && this.#take === undefined ? this.append({ events: [], releases: true, waitsFor }) : undefined
    this.#letGo = true
    await released?.catch(() => undefined)
  }
}
