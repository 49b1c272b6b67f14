/** Payloads of tasks, all at once or as they come. */
export type Tasks = Iterable<Record<string, unknown>> | AsyncIterable<Record<string, unknown>>

/** Tasks that are submitted together. */
export interface TaskChunk {
  /** Place of the first task, from 0. */
  offset: number
  /** Each task as JSON. */
  texts: string[]
}

/** How tasks are divided. */
export interface ChunkRule {
  /** Place of the first task. */
  from: number
  maxTasks: number
}

/** The service stores this many tasks in one transaction: a chunk is there as a whole or not at all. */
export const MAX_CHUNK = 1_000
/** Characters of a chunk; with the service's own limits it stays one transaction. A larger task is a chunk by itself. */
const MAX_CHARACTERS = 2_097_152

/** Divides tasks into chunks of bounded size; holds one chunk at a time. */
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
