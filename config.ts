import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { parseTarget, TARGET_RULE } from './core/network-target.ts'
import { isModelName, MODEL_NAME_RULE } from './core/model-name.ts'
import { readLimits } from './limits.ts'

/** The predicate of an error sentence that begins with the setting's name. */
const rule = (expected: string, example: string): string => `must be ${expected}, such as ${example}`

/** A whole number. A blank value is refused because `Number('')` is 0. */
function integer(example: number, least: number, most?: number) {
  const bounds = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`
  const error = rule(`a whole number ${bounds}`, String(example))
  const number = z.coerce.number<string>(error).int(error).min(least, error)
  return z
    .string()
    .regex(/\S/, error)
    .pipe(number.max(most ?? Number.MAX_SAFE_INTEGER, error))
}

const port = (example: number) => integer(example, 0, 65_535)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
const anyDays = rule('a number of days above 0', '30')
const days = z.coerce.number(anyDays).positive(anyDays)
const url = (example: string) => z.url({ protocol: /^https?$/, error: rule('a URL', example) })
const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  z.enum(names, `must be one of ${names.join(', ')}`)
const yesOrNo = () => z.stringbool({ error: 'must be true or false' })
const text = (shape: RegExp, expected: string, example: string) => z.string().regex(shape, rule(expected, example))
const MOST_SHOWN = 100
const isOrigin = (text: string): boolean => text === '*' || URL.parse(text)?.origin === text

/**
 * Every setting with its rule and its default. The OpenTelemetry SDK reads its own variables; the ones that are often
 * set wrongly are validated here too.
 */
export const settings = z.object({
  HOST: z
    .string()
    .refine(
      (host) => isIP(host) !== 0 || /^[\w.-]+$/.test(host),
      rule('an address or a name of this machine', '0.0.0.0'),
    )
    .default('127.0.0.1'),
  PORT: port(8000).default(8000),
  ADMIN_PORT: port(9090).optional(),
  DATA_DIR: z.string().default('.data'),
  SERVICE_API_KEY: list
    .refine(
      (keys) => keys.length > 0,
      'must hold a key, such as one of "openssl rand -hex 32" (unset, it serves everybody)',
    )
    .default([]),
  API_KEYS_FILE: z.string().optional(),
  CORS_ORIGIN: list
    .refine((origins) => origins.every(isOrigin), rule('* or origins with commas between', 'https://app.example.org'))
    .default([]),
  ALLOWED_HOSTS: list.default([]),
  MAX_CONNECTIONS: integer(20_000, 1).default(20_000),
  MAX_BACKLOG: integer(1_000_000, 1).default(1_000_000),
  MAX_BODY_BYTES: integer(33_554_432, 1024).default(33_554_432),
  AGENTS_DIR: list.default(['agents/']),
  WORKER_POOL: text(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, _ or -', 'machines').default('default'),
  TEMPORAL_ADDRESS: text(
    /^(\[[\da-f:.]+\]|[^\s:/]+)(:\d{1,5})?$/i,
    'a host and a port without http://',
    '127.0.0.1:7233',
  ).optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_UI: url('http://127.0.0.1:8080').optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_TLS: yesOrNo().default(false),
  TEMPORAL_TLS_CA: z.string().optional(),
  TEMPORAL_TLS_CERT: z.string().optional(),
  TEMPORAL_TLS_KEY: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  MONGODB_URI: text(
    /^mongodb(\+srv)?:\/\//,
    'an address that starts with mongodb:// or mongodb+srv://',
    'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  ).optional(),
  MONGODB_DATABASE: text(/^[^\s/\\."$]{1,63}$/, '1 to 63 characters without blanks, / \\ . " or $', 'troupe').default(
    'troupe',
  ),
  S3_ENDPOINT: url('http://127.0.0.1:9000').optional(),
  S3_BUCKET: text(
    /^([\w.:-]{3,63}|arn:[\w.:/-]+)$/,
    '3 to 63 letters, digits, dots, :, _ or -, or an ARN',
    'troupe',
  ).default('troupe'),
  S3_REGION: z.string().default('us-east-1'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  // A tool call's event holds three values (its arguments under two names), and a MongoDB document holds at most 16 MB.
  RESPONSE_OFFLOAD_BYTES: integer(102_400, 0, 4_194_304).default(102_400),
  TRACE_RETENTION_DAYS: days.optional(),
  EXECUTION_RETENTION_DAYS: days.optional(),
  NETWORK_ALLOW_PRIVATE: list
    .refine(
      (targets) => targets.every((target) => parseTarget(target) !== undefined),
      `each entry ${TARGET_RULE}, such as 10.1.2.3:8080`,
    )
    .default([]),
  TRACING: oneOf('database', 'external', 'disabled').default('database'),
  // A gRPC endpoint may have no scheme, or a scheme of its own.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url(rule('a URL', 'http://127.0.0.1:4318')).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf('http/protobuf', 'http/json', 'grpc').optional(),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: yesOrNo().default(false),
  DOCKER_HOST: z.string().optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  MODEL: z.string().refine(isModelName, `${MODEL_NAME_RULE}, such as openai/gpt-5-mini`).optional(),
  LIMITS: z
    .string()
    .transform((text, { addIssue }) => {
      try {
        return readLimits(text)
      } catch (error) {
        addIssue((error as Error).message)
        return z.NEVER
      }
    })
    .default({}),
  MODEL_TIMEOUT_MS: integer(1_800_000, 1_000, 86_400_000).default(1_800_000),
  FROZEN_WORKER_MS: integer(60_000, 1_000, 86_400_000).default(60_000),
  PRICES_FILE: z.string().optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: url('https://llm.example.org/v1').optional(),
  OPENAI_API: oneOf('responses', 'chat').optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: url('https://llm.example.org/v1').optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: z.string().optional(),
  GOOGLE_BASE_URL: url('https://llm.example.org/v1beta').optional(),
  GROQ_API_KEY: z.string().optional(),
  GROQ_BASE_URL: url('https://llm.example.org/v1').optional(),
  OPENAI_COMPATIBLE_API_KEY: z.string().optional(),
  OPENAI_COMPATIBLE_BASE_URL: url('http://127.0.0.1:11434/v1').optional(),
})

/** The validated, frozen environment of one process. Field names are the variables' names. */
export type Config = Readonly<z.infer<typeof settings>>

/** A wrong or missing setting. The message is a sentence for the operator. */
export class ConfigError extends Error {
  readonly code = 'bad_config'
}

/**
 * Reads the configuration once, when a process starts.
 * Missing variables are read from `DATA_DIR/stack.env` if the embedded stack wrote that file. An empty variable counts
 * as missing.
 * @throws ConfigError naming each wrong variable.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const stack = readStackFile(resolve(given.DATA_DIR ?? '.data'))
  // Credentials belong to an endpoint. Credentials from a developer's shell do not fit the embedded store.
  const stackStore = given.S3_ENDPOINT === undefined ? ofObjectStore(stack) : {}
  const all = { ...stack, ...given, ...stackStore }
  const parsed = settings.safeParse(all)
  if (parsed.success) return Object.freeze(parsed.data)
  throw new ConfigError(`The environment is wrong: ${problemsOf(parsed.error, all).join('; ')}.`)
}

/**
 * Returns a setting that this process cannot run without.
 * @throws ConfigError naming the variable and how to obtain it.
 */
export function required<Name extends keyof Config>(config: Config, name: Name): NonNullable<Config[Name]> {
  const value = config[name]
  if (value === undefined) {
    throw new ConfigError(
      `${name} is not set. Set it, or run "npm run stack" first: it starts the servers and writes it.`,
    )
  }
  return value
}

/** Path of the file in which the embedded stack publishes its addresses. */
export function stackFile(dataDir: string): string {
  return join(dataDir, 'stack.env')
}

/** The environment variables that the stack of a data folder wrote; empty when the file does not exist. */
export function readStackFile(dataDir: string): Record<string, string> {
  const path = stackFile(dataDir)
  return existsSync(path) ? (parseEnv(readFileSync(path, 'utf8')) as Record<string, string>) : {}
}

function ofObjectStore(stack: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(stack).filter(([name]) => /^(S3|AWS)_/.test(name)))
}

/** One clause for each wrong setting: its name, what it must be, and its value. */
function problemsOf({ issues }: z.ZodError, given: NodeJS.Dict<string>): string[] {
  const messages = new Map(issues.map(({ path, message }) => [String(path[0]), message]))
  return [...messages].map(([name, message]) => `${name} ${message}, but is ${shown(name, given[name] ?? '')}`)
}

/** The value as it may appear in a log. Secrets and addresses that contain a password are hidden. */
function shown(name: string, given: string): string {
  if (/KEY|SECRET|TOKEN|URI/.test(name) || given.includes('@'))
    return 'something else, which may be secret and is not shown'
  return JSON.stringify(given.length > MOST_SHOWN ? `${given.slice(0, MOST_SHOWN)}…` : given)
}
