import type { ModelToolCall, ModelToolResult, Turn } from '../../agents/models/model.ts'
import type { AgentRun } from '../../core/execution.ts'
import {
  failurePath,
  isFailurePath,
  modelCall,
  pathOfKey,
  repairPath,
  startPath,
  stepKey,
  toolCall,
} from '../../core/step-path.ts'
import type { Failures } from '../../core/transitions.ts'
import type { Contents } from '../../store/objects/contents.ts'
import type { StepDocument } from '../../store/documents.ts'
import { idRange } from '../../store/mongodb/id-range.ts'
import type { ActivityDependencies } from '../dependencies.ts'
import type { OutcomeResult } from '../attempt/outcome.ts'

/** The recorded result of a model call. */
export interface ModelStepResult {
  text: string
  calls: ModelToolCall[]
  tokens: { prompt: number; completion: number }
  /** The provider's own form of the response, for later calls to the same provider. */
  message?: unknown
  provider?: string
}

/** The records of one agent run by path, without those of called agents. */
export interface RunRecords {
  byPath: ReadonlyMap<string, StepDocument>
  /** The run's task_start; undefined before it is recorded, or if it is part of the take. */
  start: { id: number | null; at: Date } | undefined
}

/** The records of a run that was never taken. */
export const NO_RECORDS: RunRecords = { byPath: new Map(), start: undefined }

/** Reads the records of an agent run. */
export async function readRecords({ store }: ActivityDependencies, { job, path }: AgentRun): Promise<RunRecords> {
  const steps = await store.steps.find({ _id: idRange(stepKey(job, `${path}.`)) }).toArray()
  const byPath = new Map(steps.map((step) => [pathOfKey(step._id), step]))
  const start = byPath.get(startPath(path))
  return { byPath, start: start === undefined ? undefined : { id: start.trace_id ?? null, at: start.at } }
}

/** The recorded result of a step; undefined if there is none. */
export async function recordedResult(
  { store, contents }: ActivityDependencies,
  jobId: string,
  path: string,
): Promise<unknown> {
  const step = await store.byId.step(stepKey(jobId, path))
  return step?.result == null ? undefined : contents.value(step.result)
}

/** The record of a failed model call. */
export interface FailureNote {
  malformed: boolean
  /** Older versions did not write it. */
  paid?: boolean
  unexplained?: boolean
  /** The time of the next attempt, in ms since the epoch. */
  until: number
  /** Index of the model that the run uses from then on. */
  model?: number
}

/** The recorded failures of the step at `path`, and the time of the next attempt; undefined if there are none. */
export function recordedFailures(
  { byPath }: RunRecords,
  path: string,
): { failures: Failures; until: number } | undefined {
  const first = byPath.get(failurePath(path, 0))
  if (first === undefined) return undefined
  const failures: Failures = { count: 0, since: first.at, malformed: 0, paid: 0, unexplained: 0, ofModel: 0 }
  let until = 0
  for (let failed: StepDocument | undefined = first; failed !== undefined;) {
    failures.count += 1
    const { result } = failed
    const note = result !== null && 'json' in result ? (JSON.parse(result.json) as FailureNote) : undefined
    if (note?.malformed === true) failures.malformed += 1
    if (note?.paid === true) failures.paid += 1
    if (note?.unexplained === true) failures.unexplained += 1
    // A call that ended with its worker recorded its usage without a note, because the model is not to blame.
    if (note !== undefined) failures.ofModel = note.model === undefined ? failures.ofModel + 1 : 0
    until = note?.until ?? 0
    failed = byPath.get(failurePath(path, failures.count))
  }
  return { failures, until }
}

/** Index of the run's current model from its records. After a switch, the run stays with the new model. */
export function recordedModel({ byPath }: RunRecords): number {
  const notes = [...byPath].flatMap(([path, { result }]) =>
    isFailurePath(path) && result !== null && 'json' in result ? [JSON.parse(result.json) as FailureNote] : [],
  )
  return Math.max(0, ...notes.map(({ model = 0 }) => model))
}

/** The progress of a model agent. */
export class Transcript {
  /** The conversation after the first user turn, up to the last model call whose tool calls are all recorded. */
  readonly turns: Turn[] = []
  /** Number of model calls whose tool calls are all recorded. */
  steps = 0
  /** The last response while some of its calls are unrecorded, or if it contains no calls. */
  last: ModelStepResult | undefined
  /** Responses that did not fit the agent's `output` and were sent back. */
  repairs = 0
  /** Outcomes of the last response's calls, by index. */
  readonly #outcomes = new Map<number, OutcomeResult>()
  /** Tokens of all model calls so far. */
  readonly tokens = { prompt: 0, completion: 0 }
  /** Tokens of the last model call; zero if nobody counted them or a cache responded. */
  lastTokens = { prompt: 0, completion: 0 }

  /** Indexes of the last response's calls without an outcome. */
  get missing(): number[] {
    return [...(this.last?.calls ?? []).keys()].filter((index) => !this.#outcomes.has(index))
  }

  get isFinal(): boolean {
    return this.last?.calls.length === 0
  }

  /** Adds the response of a model call. */
  answered(answer: ModelStepResult): void {
    this.last = answer
    this.lastTokens = answer.tokens
    this.tokens.prompt += answer.tokens.prompt
    this.tokens.completion += answer.tokens.completion
  }

  /** Adds the outcome of a call; the last outcome completes the turn. */
  called(index: number, outcome: OutcomeResult): void {
    this.#outcomes.set(index, outcome)
    const answer = this.last
    if (answer === undefined || this.#outcomes.size < answer.calls.length) return
    const results = answer.calls.map((call, at) => toResult(call, this.#outcomes.get(at)))
    this.#proceed(answer, { role: 'tool', results })
  }

  /** Sends the last response back with an error sentence. */
  repaired(sentence: string): void {
    const answer = this.last
    if (answer === undefined) return
    const results = answer.calls.map((call) => toResult(call, { error: sentence }))
    this.#proceed(answer, results.length > 0 ? { role: 'tool', results } : { role: 'user', text: sentence })
    this.repairs += 1
  }

  #proceed({ text, calls, message, provider }: ModelStepResult, reply: Turn): void {
    this.turns.push({ role: 'assistant', text, calls, provider, message }, reply)
    this.#outcomes.clear()
    this.last = undefined
    this.steps += 1
  }
}

/** Builds the transcript of a model agent from its records. */
export async function readTranscript(contents: Contents, { path }: AgentRun, records: RunRecords): Promise<Transcript> {
  const transcript = new Transcript()
  for (;;) {
    const { steps } = transcript
    const asked = records.byPath.get(`${path}.${modelCall(steps)}`)
    if (asked?.result == null) return transcript
    const answer = (await contents.value(asked.result)) as ModelStepResult
    transcript.answered(answer)
    const repair = records.byPath.get(`${path}.${repairPath(steps)}`)?.result
    if (repair != null) {
      transcript.repaired((await contents.value(repair)) as string)
      continue
    }
    const outcomes = answer.calls.map(async (_, index): Promise<[number, OutcomeResult] | undefined> => {
      const record = records.byPath.get(`${path}.${toolCall(steps, index)}`)
      return record?.result == null ? undefined : [index, (await contents.value(record.result)) as OutcomeResult]
    })
    for (const found of await Promise.all(outcomes)) if (found !== undefined) transcript.called(...found)
    if (transcript.steps === steps) return transcript
  }
}

function toResult({ id, name }: ModelToolCall, outcome: OutcomeResult | undefined): ModelToolResult {
  const isError = outcome !== undefined && 'error' in outcome
  const result = outcome !== undefined && 'result' in outcome ? outcome.result : null
  return { id, name, output: isError ? outcome.error : JSON.stringify(result ?? null), isError }
}
