// A file whose name starts with an underscore is no agent: here is what several example agents share.
import type { AgentDefinition } from '../definition.ts'

/** What the agents that work on a text are given. */
export interface Material {
  /** A page to read. */
  url: string | undefined
  /** The text itself, or the words of a question. */
  text: string
}

const MAX_CHARACTERS = 20_000

/**
 * Finds the material in any of the forms in which an agent may be called: `{ url }`, `{ text }` (as in a chain, where
 * the answer of the agent before comes as text), `{ query }` from a delegating agent, `{ message }` from a chat.
 */
export function materialOf(inputs: unknown): Material {
  const { url, text, input, query, message, task } = (inputs ?? {}) as Record<string, unknown>
  const material = firstText([text, input])
  const request = firstText([query, message, task])
  if (typeof url === 'string') return { url, text: material || request }
  // A request may name the page to read; a text that is given as material is read itself.
  const [named] = material ? [] : (/\bhttps?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]/.exec(request) ?? [])
  return { url: named, text: material || request }
}

function firstText(values: unknown[]): string {
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.slice(0, MAX_CHARACTERS) : ''
}

/** The lines under a heading of a Markdown text; empty when it has no such heading. */
export function section(markdown: string, heading: string): string {
  const [, after = ''] = markdown.split(`\n## ${heading}\n`)
  return after.split(/\n## /)[0]?.trim() ?? ''
}

/** The first heading of a Markdown text. */
export function titleOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1]
}

/** How long a script takes to write its answer, so that it can be watched. */
const WRITE_MS = 1_200
const CHARACTERS_PER_TOKEN = 4

type Script = NonNullable<AgentDefinition['script']>

/** Makes a script look like a model: it writes word by word, and what it reads and writes is counted, four characters a token. */
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
