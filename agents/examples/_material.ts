// Shared code of several example agents. Files whose names start with an underscore are not agents.
import type { AgentDefinition } from '../definition.ts'

/** The material that an agent works on. */
export interface Material {
  /** URL of a page to read. */
  url: string | undefined
  /** The text itself, or the words of a question. */
  text: string
}

const MAX_CHARACTERS = 20_000

/**
 * Finds the material in every form of inputs: `{ url }`, `{ text }` (as in a chain, where it holds the previous agent's
 * output), `{ query }` from a delegating agent, `{ message }` from a chat.
 */
export function materialOf(inputs: unknown): Material {
  const { url, text, input, query, message, task } = (inputs ?? {}) as Record<string, unknown>
  const material = firstText([text, input])
  const request = firstText([query, message, task])
  if (typeof url === 'string') return { url, text: material || request }
  // A request may contain the URL of the page to read. A text that is given as material is used as it is.
  const [named] = material ? [] : (/\bhttps?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]/.exec(request) ?? [])
  return { url: named, text: material || request }
}

function firstText(values: unknown[]): string {
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.slice(0, MAX_CHARACTERS) : ''
}

/** Returns the lines under a heading of a Markdown text; empty if the heading is absent. */
export function section(markdown: string, heading: string): string {
  const [, after = ''] = markdown.split(`\n## ${heading}\n`)
  return after.split(/\n## /)[0]?.trim() ?? ''
}

/** Returns the first heading of a Markdown text. */
export function titleOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1]
}

/** Time that a script takes to write its response, so that people can watch it. */
const WRITE_MS = 1_200
const CHARACTERS_PER_TOKEN = 4

type Script = NonNullable<AgentDefinition['script']>

/**
 * Makes a script behave like a model: it writes word by word, and its usage is estimated at four characters per token.
 */
export function asModel(script: Script): Script {
  return async (state) => {
    const answer = await script(state)
    const usage = { prompt_tokens: tokensOf(state.messages), completion_tokens: tokensOf(answer) }
    return { ...answer, usage, writeMs: WRITE_MS }
  }
}

function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
}
