import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '../../config.ts'
import { role, type Role } from '../../contracts/endpoint.ts'
import { messageOf } from '../../core/errors.ts'
import { sentenceOf } from './sentence.ts'

/** An API key and its permissions. */
export interface ApiKey {
  /** Used in the log and in `submitted_by`. */
  name: string
  role: Role
  /** SHA-256 of the key. */
  digest: Buffer
  /** Relative share of the worker capacity; the default is 1. */
  weight: number
  /** The agents that the key may submit to; undefined means all. */
  agents: readonly string[] | undefined
}

const entry = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, underscores or hyphens'),
    // Spaces at the ends of a header are dropped, so such a key could never match.
    key: z
      .string()
      .regex(/^\S(.*\S)?$/s, 'must not begin or end with a space')
      .optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
      .optional(),
    role,
    weight: z.number().min(0.001).max(1_000).default(1),
    agents: z.array(z.string().min(1)).nullable().optional(),
  })
  .refine(({ key, sha256 }) => (key === undefined) !== (sha256 === undefined), 'must have either key or sha256')

const file = z
  .array(entry)
  .min(1)
  .refine(
    (entries) => new Set(entries.map(({ name }) => name)).size === entries.length,
    'must not contain the same name twice',
  )

/**
 * Reads a file of named keys: a JSON array of `{name, key | sha256, role, weight, agents}`.
 * @param others - keys from elsewhere, which the file's keys must differ from.
 * @throws ConfigError that names the problem, but never a key.
 */
export function readKeysFile(path: string, others: readonly ApiKey[]): ApiKey[] {
  const parsed = file.safeParse(readJson(path), { reportInput: true })
  if (!parsed.success) throw new ConfigError(`API_KEYS_FILE ${path}: ${sentenceOf(parsed.error.issues, 'The list')}`)
  const keys = parsed.data.map(({ name, key, sha256, role, weight, agents }) => {
    const digest = key === undefined ? Buffer.from(sha256 ?? '', 'hex') : createHash('sha256').update(key).digest()
    return { name, role, digest, weight, agents: agents ?? undefined }
  })
  for (const [index, key] of keys.entries()) {
    const problem = ambiguity(key, [...others, ...keys.slice(0, index)])
    if (problem !== undefined) throw new ConfigError(`API_KEYS_FILE ${path}: ${problem}`)
  }
  return keys
}

/** Why a request with this key, or its log line, could belong to an earlier key as well. */
function ambiguity({ name, digest }: ApiKey, earlier: readonly ApiKey[]): string | undefined {
  if (earlier.some((other) => other.name === name))
    return `"${name}" is the name of a key of SERVICE_API_KEY; give the key another name.`
  const same = earlier.find((other) => other.digest.equals(digest))
  return same && `"${same.name}" and "${name}" have the same key; give each its own.`
}

function readJson(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`Cannot read API_KEYS_FILE: ${messageOf(error)}.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser is omitted, because it quotes the text, which contains keys.
    throw new ConfigError(`API_KEYS_FILE ${path} is not valid JSON.`)
  }
}
