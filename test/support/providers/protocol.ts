import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ScriptedLimit, ScriptedMessage } from './scripted-answer.ts'

/** A request as it came. */
export interface WireRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** An event of a stream; `data` is sent as JSON unless it is text. */
export interface WireEvent {
  event?: string
  data: unknown
}

/** Why a provider refuses a request: the status and the sentence are its own. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined

  constructor(message: string, { status = 400, code }: { status?: number; code?: string } = {}) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** One provider's protocol, as its documentation has it. An instance remembers what it issued. */
export interface Protocol {
  matches: (path: string) => boolean
  /** @throws Refusal when the provider would refuse the request. */
  check: (request: WireRequest) => void
  events: (request: WireRequest, answer: ScriptedMessage) => WireEvent[]
  /** Body of an error response. */
  errorBody: (status: number, message: string, code: string | undefined) => unknown
  /** The error of a stream that breaks. */
  errorEvent: (message: string) => WireEvent
  limitHeaders: (measure: 'requests' | 'tokens', limit: ScriptedLimit) => Record<string, string>
}

/** What only the provider can make: proof that a text came from it. */
export function sign(...parts: unknown[]): string {
  return createHmac('sha256', 'known to the provider alone').update(JSON.stringify(parts)).digest('base64url')
}

/** A text in the pieces in which it is streamed. */
export function pieces(text: string): string[] {
  return text.match(/[^]{1,8}/g) ?? []
}

/** The JSON text of a call's arguments, which may be malformed. */
export function argumentsText(args: Record<string, unknown> | string): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}

/** `x-ratelimit-*` as OpenAI writes it. */
export function openaiLimitHeaders(measure: string, { limit, remaining, resetMs }: ScriptedLimit) {
  return {
    [`x-ratelimit-limit-${measure}`]: String(limit),
    [`x-ratelimit-remaining-${measure}`]: String(remaining),
    [`x-ratelimit-reset-${measure}`]: resetMs < 1_000 ? `${resetMs}ms` : `${resetMs / 1_000}s`,
  }
}

/** Refuses a request unless `holds`. */
export function demand(holds: unknown, message: string, options?: { status?: number; code?: string }): asserts holds {
  if (!holds) throw new Refusal(message, options)
}

const MOST_OUTPUT_TOKENS = 128_000

/** No model may be asked for more tokens than it can write. */
export function demandOutputLimit(name: string, asked: unknown): void {
  const most = `this model supports at most ${MOST_OUTPUT_TOKENS} completion tokens`
  demand(asked === undefined || Number(asked) <= MOST_OUTPUT_TOKENS, `${name} is too large: ${String(asked)}; ${most}.`)
}

/** Keywords that no strict mode supports. */
const NEVER_STRICT = ['oneOf', 'allOf', 'not', 'default', 'minLength', 'maxLength', 'uniqueItems', 'prefixItems']

/**
 * Checks a schema as the strict modes of providers do.
 * @param refused - further keywords that the provider rejects.
 */
export function demandStrict(schema: unknown, where: string, refused: string[] = []): void {
  if (typeof schema !== 'object' || schema === null) return
  const { type, properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema as Strict
  if (type === 'object') {
    const wrong = `Invalid schema for ${where}: 'additionalProperties' is required to be supplied and to be false.`
    demand(additionalProperties === false, wrong)
    const missing = Object.keys(properties).find((name) => !required.includes(name))
    demand(missing === undefined, `Invalid schema for ${where}: 'required' must include '${missing}'.`)
  }
  const keyword = [...NEVER_STRICT, ...refused].find((each) => each in schema)
  demand(keyword === undefined, `Invalid schema for ${where}: '${keyword}' is not permitted.`)
  const has = ['type', 'anyOf', '$ref'].some((each) => each in schema)
  demand(has, `Invalid schema for ${where}: schema must have a 'type' key.`)
  for (const part of [...Object.values(properties), ...anyOf, items]) demandStrict(part, where, refused)
}

interface Strict {
  type?: unknown
  properties?: object
  required?: string[]
  additionalProperties?: unknown
  items?: unknown
  anyOf?: unknown[]
}
