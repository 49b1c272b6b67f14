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

/** Recorded result of a model call. */
export interface ModelStepResult {
  text: string
  calls: ModelToolCall[]
  tokens: { prompt: number; completion: number }
  /** The provider's own form of the answer, for the provider that made it. */
  message?: unknown
  provider?: string
}

/** The records of one agent run, by their paths; without those of the agents that it called. */
export interface RunRecords {
  byPath: ReadonlyMap<string, StepDocument>
  /** Its task_start; undefined before it was recorded, or where it is part of the take. */
  start: { id: number | null; at: Date } | undefined
}

/** Of a run that nobody has taken before. */
export const NO_RECORDS: RunRecords = { byPath: new Map(), start: undefined }

/** Reads what is recorded of an agent run. */
export async function readRecords({ store }: ActivityDependencies, { job, path }: AgentRun): Promise<RunRecords> {
  const steps = await store.steps.find({ _id: idRange(stepKey(job, `${path}.`)) }).toArray()
  const byPath = new Map(steps.map((step) => [pathOfKey(step._id), step]))
  const start = byPath.get(startPath(path))
  return { byPath, start: start === undefined ? undefined : { id: start.trace_id ?? null, at: start.at } }
}

/** The recorded result of a step; undefined where none is recorded. */
export async function recordedResult(
  { store, contents }: ActivityDependencies,
  jobId: string,
  path: string,
): Promise<unknown> {
  const step = await store.byId.step(stepKey(jobId, path))
  return step?.result == null ? undefined : contents.value(step.result)
}

/** What is recorded of a model call that failed. */
export interface FailureNote {
  malformed: boolean
  /** Older versions lack it. */
  paid?: boolean
  unexplained?: boolean
  /** When it may be made again, in ms since the epoch. */
  until: number
  /** Which of the agent's models the run asks from then on. */
  model?: number
}

/** Failed attempts at the step at `path` that are recorded, and when the next may be made; undefined when there are none. */
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
    // A call that ended with its worker left what it used, and no note: the model is not to blame.
    if (note !== undefined) failures.ofModel = note.model === undefined ? failures.ofModel + 1 : 0
    until = note?.until ?? 0
    failed = byPath.get(failurePath(path, failures.count))
  }
  return { failures, until }
}

/** Which of its agent's models a run asks, by what is recorded: once it went on with the next one, it stays there. */
export function recordedModel({ byPath }: RunRecords): number {
  const notes = [...byPath].flatMap(([path, { result }]) =>
    isFailurePath(path) && result !== null && 'json' in result ? [JSON.parse(result.json) as FailureNote] : [],
  )
  return Math.max(0, ...notes.map(({ model = 0 }) => model))
}

/** How far a model agent has come. */
export class Transcript {
  /** The conversation after the first user turn, up to the last model call whose calls are all recorded. */
  readonly turns: Turn[] = []
  /** Model calls whose calls are all recorded. */
  steps = 0
  /** The last answer, while some of its calls are not recorded, or when it asks for nothing more. */
  last: ModelStepResult | undefined
  /** Answers that did not fit the agent's `output` and were sent back. */
  repairs = 0
  /** Outcomes of its calls, by their index. */
  readonly #outcomes = new Map<number, OutcomeResult>()
  /** Spent by the model calls so far. */
  readonly tokens = { prompt: 0, completion: 0 }
  /** Of them, by the last one; none where nobody counted, or a cache answered. */
  lastTokens = { prompt: 0, completion: 0 }

  /** Indexes of the last answer's calls that have no outcome. */
  get missing(): number[] {
    return [...(this.last?.calls ?? []).keys()].filter((index) => !this.#outcomes.has(index))
  }

  get isFinal(): boolean {
    return this.last?.calls.length === 0
  }

  /** Adds the answer of a model call. */
  answered(answer: ModelStepResult): void {
    this.last = answer
    this.lastTokens = answer.tokens
    this.tokens.prompt += answer.tokens.prompt
    this.tokens.completion += answer.tokens.completion
  }

  /** Adds the outcome of a call; with the last one the turn is complete. */
  called(index: number, outcome: OutcomeResult): void {
    this.#outcomes.set(index, outcome)
    const answer = this.last
    if (answer === undefined || this.#outcomes.size < answer.calls.length) return
    const results = answer.calls.map((call, at) => toResult(call, this.#outcomes.get(at)))
    this.#proceed(answer, { role: 'tool', results })
  }

  /** Sends the last answer back with what is wrong with it. */
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

/** The transcript that the records of a model agent hold. */
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
