import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-code.ts'
import { readTasks, type TaskFile } from './task-file.ts'

const SHOWN_TASKS = 3
const HASH_LENGTH = 12

/** A file that was checked completely: every line is a task. */
export interface CheckedFile {
  count: number
  first: object[]
}

/** Reads the whole file before anything is submitted, so that an invalid line is reported at once. */
export async function checkFile(file: TaskFile): Promise<CheckedFile> {
  const first: object[] = []
  let count = 0
  for await (const task of readTasks(file)) {
    if (count++ < SHOWN_TASKS) first.push(task)
  }
  if (count === 0) throw new CommandError(EXIT.file, `${file.path} contains no tasks.`)
  return { count, first }
}

/** Hash that identifies the tasks of a file: its content, how it is read, and the agent that runs them. */
export async function hashOfTasks({ path, rules, ...reading }: TaskFile, agent: string): Promise<string> {
  const how = JSON.stringify({ agent, ...reading, rules: rules ?? 'by their cells' })
  const hash = createHash('sha256').update(how)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex').slice(0, HASH_LENGTH)
}
