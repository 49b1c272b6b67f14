import { InvalidArgumentError } from 'commander'
import type { Schema } from '../client/index.ts'

/** Values of `--budget` and `--no-cache`. */
export interface SpendingOptions {
  budget?: Schema<'Budget'>
  /** False with `--no-cache`. */
  cache?: boolean
}

/** The same options for batches. */
export interface TaskSpendingOptions extends SpendingOptions {
  taskBudget?: Schema<'Budget'>
}

/** Parses a budget such as `usd=0.5,modelCalls=10,onExceeded=answer`; the service validates the names. @throws InvalidArgumentError */
export function parseBudget(text: string): Schema<'Budget'> {
  const parts = text.split(',').map((part) => /^(\w+)=(\S+)$/.exec(part.trim()))
  if (parts.includes(null)) throw new InvalidArgumentError('Use limits such as usd=0.5,tokens=20000,modelCalls=10.')
  const limits = parts.map((part) => [part?.[1], Number.isNaN(Number(part?.[2])) ? part?.[2] : Number(part?.[2])])
  return Object.fromEntries(limits) as Schema<'Budget'>
}

/** Converts the options to fields of a request. */
export function spendingFields({
  budget,
  cache,
}: SpendingOptions): Pick<Schema<'PromptRequest'>, 'budget' | 'no_cache'> {
  return { budget, no_cache: cache === false ? true : undefined }
}
