import { LRUCache } from 'lru-cache'
import type { ModelToolResult, Turn } from '../agents/models/model.ts'
import type { Contents } from '../store/contents.ts'
import type { Store } from '../store/connect.ts'
import type { StepDocument } from '../store/documents.ts'
import { stepKey } from '../store/ledger-entry.ts'
import type { AgentRun } from '../workflows/agent-run.ts'
import { callPath, modelStepPath, type ModelStepResult, type OutcomeResult } from './step-results.ts'

/** How far a model agent has come, as its recorded steps tell. */
export interface Transcript {
  /** Id of its task_start; null when tracing is off; undefined before it was recorded. */
  start: number | null | undefined
  startedAt: Date | undefined
  /** The conversation after the first user turn, up to the last model call whose calls are all recorded. */
  turns: Turn[]
  /** Model calls recorded so far. */
  steps: number
  /** The last model call, while some of its calls are not recorded. */
  open: { answer: ModelStepResult; missing: string[] } | undefined
  /** The last model call asked for nothing more: its text is the agent's answer. */
  final: ModelStepResult | undefined
  /** Spent by the model calls in `turns`. */
  tokens: { prompt: number; completion: number }
  /** Length of `turns` as JSON text. */
  characters: number
}

/** Reads transcripts from step records. */
export interface Transcripts {
  read: (run: AgentRun) => Promise<Transcript>
}

const KEPT_TRANSCRIPTS = 200
const KEPT_CHARACTERS = 67_108_864

/**
 * Transcripts are kept in memory between the calls of a run, so that a run of a thousand steps reads each of its records
 * once and not a thousand times. What is kept is only ever recorded, immutable steps; a worker without it reads them anew.
 */
export function createTranscripts(store: Store, contents: Contents): Transcripts {
  const kept = new LRUCache<string, Transcript>({
    max: KEPT_TRANSCRIPTS,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ characters }) => 1 + characters,
  })

  return {
    async read(run) {
      const prefix = `${stepKey(run.job, run.path)}.`
      const before = kept.get(prefix) ?? emptyTranscript()
      const from = before.steps === 0 ? prefix : `${prefix}${modelStepPath(before.steps)}`
      const filter = { _id: { $gte: from, $lt: `${prefix}~` } }
      const steps = await store.steps.find(filter).sort({ _id: 1 }).toArray()
      const transcript = await extend(before, steps, prefix, contents)
      kept.set(prefix, { ...transcript, open: undefined, final: undefined })
      return transcript
    },
  }
}

function emptyTranscript(): Transcript {
  return {
    start: undefined,
    startedAt: undefined,
    turns: [],
    steps: 0,
    open: undefined,
    final: undefined,
    tokens: { prompt: 0, completion: 0 },
    characters: 0,
  }
}

/** The transcript with the model calls that are complete added to its turns; the last one may be open or final. */
async function extend(
  before: Transcript,
  steps: StepDocument[],
  prefix: string,
  contents: Contents,
): Promise<Transcript> {
  const byPath = new Map(steps.map((step) => [step._id.slice(prefix.length), step]))
  const start = byPath.get('start')
  const after: Transcript = {
    ...before,
    ...(start === undefined ? {} : { start: start.trace_id ?? null, startedAt: start.at }),
    turns: [...before.turns],
    tokens: { ...before.tokens },
  }
  for (let step = before.steps; ; step += 1) {
    const record = byPath.get(modelStepPath(step))
    if (record?.result == null) return after
    const answer = (await contents.value(record.result)) as ModelStepResult
    if (answer.calls.length === 0) return { ...after, final: answer }
    const paths = answer.calls.map((_, index) => callPath(step, index))
    const missing = paths.filter((path) => !byPath.has(path))
    if (missing.length > 0) return { ...after, open: { answer, missing } }
    const results = await resultsOf(answer, paths, byPath, contents)
    after.turns.push({ role: 'assistant', text: answer.text, calls: answer.calls }, { role: 'tool', results })
    after.tokens.prompt += answer.tokens.prompt
    after.tokens.completion += answer.tokens.completion
    after.characters += JSON.stringify([answer, results]).length
    after.steps = step + 1
  }
}

async function resultsOf(
  answer: ModelStepResult,
  paths: string[],
  byPath: Map<string, StepDocument>,
  contents: Contents,
): Promise<ModelToolResult[]> {
  return Promise.all(
    answer.calls.map(async ({ id, name }, index): Promise<ModelToolResult> => {
      const record = byPath.get(paths[index] ?? '')
      const outcome = (record?.result == null ? { result: null } : await contents.value(record.result)) as OutcomeResult
      const isError = 'error' in outcome
      return { id, name, output: isError ? outcome.error : JSON.stringify(outcome.result ?? null), isError }
    }),
  )
}
