/** The content of an object in the object store, derived from its key. */
export type StoredObject =
  | { kind: 'inputs'; job: string }
  | { kind: 'response'; job: string }
  | { kind: 'step'; job: string; steps: StepCandidate[] }
  | { kind: 'idempotency'; id: string }
  | { kind: 'cache'; id: string }

/**
 * A step whose record may refer to an object. `attempt` is the attempt that wrote it; undefined for objects from before
 * attempts had names.
 */
export interface StepCandidate {
  path: string
  attempt: string | undefined
}

/** The recorded facts about an object's execution. */
export interface RecordedExecution {
  ended: boolean
  inputsKey: string | undefined
  outputsKey: string | undefined
}

/** The recorded facts about an object. */
export interface ObjectRecords {
  execution: RecordedExecution | undefined
  /** Attempts of the recorded steps among the candidates, by path; undefined if the record names no attempt. */
  steps: Map<string, string | undefined>
  /** Whether the response under the Idempotency-Key is still kept. */
  idempotency: boolean
  /** Key of the object to which the cache entry refers. */
  cacheKey?: string | undefined
}

const RESPONSE = /^responses\/\d{4}\/\d\d\/\d\d\/([^/.]+)(?:\.[^/]+)?\.json$/
const SUFFIXES = new Set(['arguments', 'result', 'inputs'])

/** Parses a key; undefined for a foreign key, which must never be collected. */
export function parseObjectKey(key: string): StoredObject | undefined {
  const response = RESPONSE.exec(key)?.[1]
  if (response !== undefined) return { kind: 'response', job: response }
  const [folder, id = '', name, ...more] = key.split('/')
  if (!key.endsWith('.json') || more.length > 0) return undefined
  if (folder === 'steps' && id !== '' && name !== undefined) {
    return { kind: 'step', job: id, steps: stepCandidates(name.slice(0, -'.json'.length)) }
  }
  const single = id.slice(0, -'.json'.length)
  if (name !== undefined || single === '') return undefined
  if (folder === 'cache') return { kind: 'cache', id: single.split('.')[0] ?? '' }
  if (folder === 'inputs') return { kind: 'inputs', job: single }
  return folder === 'idempotency' ? { kind: 'idempotency', id: single } : undefined
}

/**
 * Whether no record can ever refer to the object. While an execution runs, all its objects are kept, because an attempt
 * may still be about to record them.
 */
export function isOrphan(key: string, object: StoredObject, records: ObjectRecords): boolean {
  if (object.kind === 'idempotency') return !records.idempotency
  if (object.kind === 'cache') return records.cacheKey !== key
  const { execution } = records
  if (execution === undefined) return true
  if (!execution.ended) return false
  if (object.kind === 'inputs') return execution.inputsKey !== key
  if (object.kind === 'response') return execution.outputsKey !== key
  return !object.steps.some(({ path, attempt }) => records.steps.has(path) && records.steps.get(path) === attempt)
}

/**
 * Parses `<path>[.arguments|.result|.inputs][.<attempt>]`. A path contains dots itself, so every reading is a
 * candidate.
 */
function stepCandidates(name: string): StepCandidate[] {
  const parts = name.split('.')
  const attempt = parts.at(-1)
  return [
    ...pathsOf(parts).map((path) => ({ path, attempt: undefined })),
    ...(parts.length > 1 ? pathsOf(parts.slice(0, -1)).map((path) => ({ path, attempt })) : []),
  ]
}

/** An agent's inputs are written with its start. An instant run has only the record of its end. */
function pathsOf(parts: string[]): string[] {
  const suffix = parts.at(-1) ?? ''
  if (!SUFFIXES.has(suffix)) return [parts.join('.')]
  const path = parts.slice(0, -1).join('.')
  return suffix === 'inputs' ? [path, `${path}.start`, 'end'] : [path]
}
