import type { Schema } from '../client/index.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Terminal } from './terminal.ts'

/** Prints the output of an execution, as text if possible, otherwise as JSON; prints the error of a failed execution to stderr. */
export function printOutcome(prompt: Schema<'Prompt'>, terminal: Terminal): ExitCode {
  const { status, outputs, error, prompt_id } = prompt
  const exitCode = status === 'completed' ? EXIT.ok : EXIT.failed
  if (terminal.options.json) terminal.document(prompt)
  else if (status === 'completed') terminal.line(textOf(outputs))
  else if (status === 'failed') terminal.error(`${prompt_id} failed: ${error}`)
  else terminal.error(`${prompt_id} is ${status}.`)
  return exitCode
}

/** An output as text: its only string, otherwise JSON. */
export function textOf(outputs: Record<string, unknown> | null): string {
  const values = Object.values(outputs ?? {})
  if (values.length === 1 && typeof values[0] === 'string') return values[0]
  return JSON.stringify(outputs, null, 2)
}
