import { TroupeError, type Schema } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
import { EXIT } from './exit-code.ts'
import { FINDING } from './failure.ts'

/** What an id stands for. */
export type Subject = { kind: 'execution'; execution: Schema<'Prompt'> } | { kind: 'batch'; batch: Schema<'Batch'> }

/** Finds what has this id: an execution of any kind, or a batch. @throws CommandError when there is neither */
export async function findSubject({ troupe, signal }: Context, id: string): Promise<Subject> {
  try {
    return { kind: 'execution', execution: await troupe.prompts.get(id, { signal }) }
  } catch (error) {
    if (!isUnknown(error)) throw error
  }
  try {
    return { kind: 'batch', batch: await troupe.batches.get(id, { results: false }, { signal }) }
  } catch (error) {
    if (!isUnknown(error)) throw error
    throw new CommandError(EXIT.notFound, `There is no execution and no batch ${id}. ${FINDING}`)
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof TroupeError && error.status === 404
}
