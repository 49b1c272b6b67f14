import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { AccountLimits } from './core/provider-account.ts'
import { messageOf } from './core/errors.ts'
import { parseModelName, PROVIDERS } from './core/model-name.ts'

/** The operator's limit for each account, by `provider` or `provider/model`. */
export type Limits = Readonly<Record<string, AccountLimits>>

const EXAMPLE = '{"openai": {"rpm": 500, "tpm": 200000, "concurrent": 20}}'
const RULE = `must be a JSON object such as ${EXAMPLE}, or the path of a file with one`
const atLeastOne = z.number({ error: 'must be a number of at least 1' }).min(1, { error: 'must be at least 1' })
const account = z.strictObject(
  {
    rpm: atLeastOne.optional(),
    tpm: atLeastOne.optional(),
    concurrent: atLeastOne.int({ error: 'must be a whole number' }).optional(),
  },
  { error: ({ code }) => (code === 'unrecognized_keys' ? 'has only rpm, tpm and concurrent' : 'must be an object') },
)
const limits = z.record(
  z.string().refine((name) => isAccount(name), `must be a provider (${PROVIDERS.join(', ')}) or provider/model`),
  account,
  { error: 'must be an object of accounts' },
)

function isAccount(name: string): boolean {
  return PROVIDERS.some((provider) => provider === name) || parseModelName(name) !== undefined
}

/**
 * Reads LIMITS: a JSON object, or the path of a file that contains one.
 * @throws Error whose message continues a sentence that begins with the variable's name.
 */
export function readLimits(text: string): Limits {
  const json = text.trimStart().startsWith('{') ? text : readText(text)
  const parsed = limits.safeParse(parse(json))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const inner = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
  const at = issue?.path.map((part) => `"${String(part)}"`) ?? []
  throw new Error(`${[...at, inner].join(' ')}, as in ${EXAMPLE}`)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${RULE}: ${messageOf(error)}`, { cause: error })
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new Error(`${RULE}: ${messageOf(error)}`, { cause: error })
  }
}

/** The account that a model's calls count towards: the most specific configured one, else the model's own. */
export function accountOf({ provider, model }: { provider: string; model: string }, configured: Limits): string {
  const own = `${provider}/${model}`
  return !Object.hasOwn(configured, own) && Object.hasOwn(configured, provider) ? provider : own
}
