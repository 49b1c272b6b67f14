/** Payloads of tasks, as an array or an iterable. */
export type Tasks = Iterable<Record<string, unknown>> | AsyncIterable<Record<string, unknown>>

/** Tasks that are submitted in one request. */
export interface TaskChunk {
  /** Position of the first task, starting at 0. */
  offset: number
  /** Each task as JSON. */
  texts: string[]
}

/** Options of the division into chunks. */
export interface ChunkRule {
  /** Position of the first task. */
  from: number
  maxTasks: number
}

/** The service stores this many tasks in one transaction, so a chunk is stored completely or not at all. */
export const MAX_CHUNK = 1_000
/** Maximum size of a chunk in characters, so that it stays one transaction. A larger task is a chunk of its own. */
const MAX_CHARACTERS = 2_097_152

/** Divides tasks into chunks of bounded size; keeps one chunk in memory. */
export async function* taskChunks(tasks: Tasks, { from, maxTasks }: ChunkRule): AsyncGenerator<TaskChunk> {
  let index = from
  let chunk: TaskChunk = { offset: from, texts: [] }
  let characters = 0
  for await (const task of tasks) {
    const text = JSON.stringify(task)
    const isFull = chunk.texts.length >= maxTasks || characters + text.length > MAX_CHARACTERS
    if (isFull && chunk.texts.length > 0) {
      yield chunk
      chunk = { offset: index, texts: [] }
      characters = 0
    }
    chunk.texts.push(text)
    characters += text.length
    index++
  }
  if (chunk.texts.length > 0) yield chunk
}
