import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentContext } from '../../agents/definition.ts'
import type { Parked } from '../../core/execution.ts'
import { TroupeError } from '../../core/errors.ts'
import { canonicalJson, toJsonValue } from '../../core/json.ts'
import { codeStep, depthOf, inputsPath, MAX_DEPTH_OF_CALLS, stepKey, type CodeStepKind } from '../../core/step-path.ts'
import { findPool } from '../../store/registry/agents.ts'
import { serverTime } from '../../store/mongodb/server-time.ts'
import type { AgentAtWork } from '../records/agent-at-work.ts'
import { callAgent, calledRun } from './call-agent.ts'
import { Interrupted, isInfrastructure } from './interrupted.ts'
import type { Leg } from '../attempt/leg.ts'
import type { OutcomeResult } from '../attempt/outcome.ts'
import { parkedUntil, together } from '../attempt/parked.ts'
import { recordedResult } from '../records/transcript.ts'

/** The outcome of code: its return value, or a wait after which the code is entered again from the top. */
export type CodeOutcome = { value: unknown } | { parked: Parked }

/** A shorter wait is spent in this worker. */
const SHORT_SLEEP_MS = 60_000
const MAX_SLEEP_MS = 365 * 86_400_000

/**
 * The context of one entry of a `run` function or a tool. If everything that the code waits for must come from the
 * workflow, the code is abandoned, and entered again when the results exist.
 */
export class CodeContext {
  readonly agentContext: AgentContext
  readonly #leg: Leg
  readonly #work: AgentAtWork
  readonly #base: string
  readonly #controller = new AbortController()
  readonly #signal: AbortSignal
  readonly #occurrences = new Map<string, number>()
  readonly #waits: Parked[] = []
  readonly #left = Promise.withResolvers<CodeOutcome>()
  /** Number of pending operations of the code that end by themselves. */
  #busy = 0
  #isOver = false

  /**
   * Prepares the context.
   * @param work - the agent that owns the code or the tool.
   * @param base - path of the code: the agent's, the tool call's or the check's.
   */
  constructor(leg: Leg, work: AgentAtWork, base: string) {
    this.#leg = leg
    this.#work = work
    this.#base = base
    this.#signal = AbortSignal.any([leg.attempt.signal, this.#controller.signal])
    const { job, agent } = work.run
    this.agentContext = {
      jobId: job,
      agent,
      callKey: stepKey(job, base),
      signal: this.#signal,
      fetch: leg.deps.network.fetchFor(leg.deps.agents.get(agent)?.network, this.#signal),
      log: (message, fields = {}) => leg.deps.log.info({ ...fields, job_id: job, agent }, message),
      heartbeat: (detail) => void (leg.attempt.progress.now = progressText(detail)),
      callAgent: (name, inputs) => this.#durably(() => this.#callAgent(name, inputs)),
      step: (name, work) => this.#durably(() => this.#step(name, work)) as never,
      sleep: async (duration) => void (await this.#durably(() => this.#sleep(duration))),
    }
  }

  /**
   * Runs code until it ends or can only wait.
   * @param timeUp - abandons the code; also fires the code's signal.
   * @throws what the code throws, or the reason of `timeUp`.
   */
  async run(code: () => unknown, timeUp?: AbortSignal): Promise<CodeOutcome> {
    timeUp?.throwIfAborted()
    timeUp?.addEventListener('abort', () => this.#leave({ error: timeUp.reason }))
    const running = (async (): Promise<CodeOutcome> => ({ value: await code() }))()
    running.catch(() => undefined)
    try {
      return await Promise.race([running, this.#left.promise])
    } finally {
      this.#isOver = true
    }
  }

  /** Abandons the code. */
  #leave(outcome: { parked: Parked } | { error: unknown }): void {
    this.#isOver = true
    if ('parked' in outcome) this.#left.resolve(outcome)
    else this.#left.reject(outcome.error)
    this.#controller.abort(new Error('The code is not waited for any more.'))
  }

  /** Performs a step that is recorded once. If the step must wait, its wait joins those of the code. */
  async #durably(work: () => Promise<OutcomeResult | Parked>): Promise<unknown> {
    if (this.#isOver) return new Promise(() => undefined)
    this.#busy += 1
    let outcome: OutcomeResult | Parked
    try {
      outcome = await work()
    } catch (error) {
      if (error instanceof ThrownByCode) throw error.cause
      // The code would take the outage for a failure of its work.
      if (!isInfrastructure(error)) throw error
      this.#leave({ error: new Interrupted(error) })
      return new Promise(() => undefined)
    } finally {
      this.#busy -= 1
      this.#parkWhenIdle()
    }
    if (this.#isOver) return new Promise(() => undefined)
    if ('error' in outcome) throw new Error(outcome.error)
    if ('result' in outcome) return outcome.result
    this.#waits.push(outcome)
    this.#parkWhenIdle()
    return new Promise(() => undefined)
  }

  /** The code may continue after a step has ended. It waits only if it then begins nothing. */
  #parkWhenIdle(): void {
    setImmediate(() => {
      if (this.#busy === 0 && this.#waits.length > 0 && !this.#isOver) this.#leave({ parked: together(this.#waits) })
    })
  }

  async #callAgent(name: string, inputs: unknown): Promise<OutcomeResult | Parked> {
    const given = toJsonValue(inputs)
    const path = this.#identify('k', [name, given])
    return this.#leg.attempt.join(path, () => this.#makeCall(path, name, given))
  }

  async #makeCall(path: string, name: string, given: unknown): Promise<OutcomeResult | Parked> {
    const { deps, attempt } = this.#leg
    const { run, summary } = this.#work
    const recorded = await this.#recorded(path)
    if (recorded !== undefined) return recorded
    if (depthOf(run.path) >= MAX_DEPTH_OF_CALLS) {
      throw new TroupeError('bad_request', `Agents may call each other ${MAX_DEPTH_OF_CALLS} levels deep, not deeper.`)
    }
    const find = () => findPool(deps.store, name, deps.pool, new Date())
    if (!deps.agents.has(name) && (await attempt.persist(find)) === undefined) {
      throw new TroupeError('not_found', `Agent "${name}" is unknown.`)
    }
    const result = await attempt.putStep(inputsPath(path), given)
    const written = attempt.append({ path: inputsPath(path), result, events: [] })
    // An agent elsewhere reads the inputs from the record; a local one receives them directly.
    if (deps.agents.has(name)) written.catch(() => undefined)
    else await written
    const call = path.slice(run.path.length + 1)
    // Code may call an agent before its own start is written.
    const start = summary.start.id ?? summary.start
    return callAgent(this.#leg, calledRun(this.#work, call, name, start), given)
  }

  async #step(name: string, work: () => unknown): Promise<OutcomeResult> {
    const path = this.#identify('s', [name])
    return this.#leg.attempt.join(path, () => this.#makeStep(path, work))
  }

  async #makeStep(path: string, work: () => unknown): Promise<OutcomeResult> {
    const { attempt } = this.#leg
    const recorded = await this.#recorded(path)
    if (recorded !== undefined) return recorded
    const outcome = { result: await ownResult(work) }
    attempt.signal.throwIfAborted()
    await attempt.append({ path, result: await attempt.putStep(path, outcome), events: [] })
    return outcome
  }

  async #sleep(duration: number): Promise<OutcomeResult | Parked> {
    const { attempt, deps } = this.#leg
    if (!(duration >= 0 && duration <= MAX_SLEEP_MS))
      throw new TroupeError('bad_request', 'sleep takes ms, at most a year.')
    const path = this.#identify('z', [duration])
    const recorded = await this.#recorded(path)
    // MongoDB's time, because another worker may wait for the end, and a wrong local clock must not change the
    // duration.
    const now = await serverTime(deps.store)
    const until = recorded !== undefined && 'result' in recorded ? Number(recorded.result) : now + duration
    if (recorded === undefined) {
      await attempt.append({ path, result: { json: JSON.stringify({ result: until }) }, events: [] })
    }
    const left = until - now
    if (left > SHORT_SLEEP_MS) return parkedUntil(until, `sleeps until ${new Date(until).toISOString()}`)
    if (left > 0) await delay(left, undefined, { signal: this.#signal })
    return { result: null }
  }

  /**
   * The identity of a step: its kind, name and inputs, and the number of equal steps before it. It never depends on the
   * order of different steps.
   */
  #identify(kind: CodeStepKind, subject: unknown[]): string {
    const hash = createHash('sha256').update(canonicalJson(subject)).digest('hex').slice(0, 16)
    const occurrence = this.#occurrences.get(kind + hash) ?? 0
    this.#occurrences.set(kind + hash, occurrence + 1)
    return codeStep(this.#base, kind, hash, occurrence)
  }

  async #recorded(path: string): Promise<OutcomeResult | undefined> {
    const { deps, attempt } = this.#leg
    if (attempt.isFresh) return undefined
    const result = await attempt.persist(() => recordedResult(deps, this.#work.run.job, path))
    return result as OutcomeResult | undefined
  }
}

/** An error that the agent's code threw in its own step; it is passed on unchanged. */
class ThrownByCode extends Error {}

async function ownResult(work: () => unknown): Promise<unknown> {
  try {
    return toJsonValue(await work())
  } catch (error) {
    throw new ThrownByCode('A step failed.', { cause: error })
  }
}

function progressText(detail: unknown): string {
  const text = typeof detail === 'string' ? detail : JSON.stringify(detail)
  return (text ?? '').slice(0, 500)
}
