import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { parseTarget, TARGET_RULE } from './core/network-target.ts'
import { MODEL_NAME_RULE, parseModelName, SCRIPTED } from './core/model-name.ts'
import { readLimits } from './limits.ts'

/** A whole number; blanks are none, though JavaScript takes them for 0. */
const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.string().regex(/\S/, 'must be a number').pipe(z.coerce.number<string>().int().min(least).max(most))
const port = integer(0, 65_535)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
const days = z.coerce.number().positive({ error: 'must be a number of days above 0' })
const url = z.url({ error: 'must be a URL' })
const isOrigin = (text: string): boolean => text === '*' || URL.parse(text)?.origin === text

// Of OpenTelemetry's variables, its SDK reads all; those that people get wrong are checked here.
const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8000),
  ADMIN_PORT: port.optional(),
  DATA_DIR: z.string().default('.data'),
  SERVICE_API_KEY: list
    .refine((keys) => keys.length > 0, 'is set but holds no key: unset it to serve everybody')
    .default([]),
  API_KEYS_FILE: z.string().optional(),
  CORS_ORIGIN: list
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://app.example.org, or *')
    .default([]),
  ALLOWED_HOSTS: list.default([]),
  MAX_CONNECTIONS: integer(1).default(20_000),
  MAX_BACKLOG: integer(1).default(1_000_000),
  MAX_BODY_BYTES: integer(1024).default(33_554_432),
  AGENTS_DIR: list.default(['agents/']),
  WORKER_POOL: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
    .default('default'),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_UI: url.optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_TLS: z.stringbool({ error: 'must be true or false' }).default(false),
  TEMPORAL_TLS_CA: z.string().optional(),
  TEMPORAL_TLS_CERT: z.string().optional(),
  TEMPORAL_TLS_KEY: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://')
    .optional(),
  MONGODB_DATABASE: z.string().min(1).default('troupe'),
  S3_ENDPOINT: url.optional(),
  S3_BUCKET: z.string().min(3).default('troupe'),
  S3_REGION: z.string().default('us-east-1'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  RESPONSE_OFFLOAD_BYTES: integer(0, 8_388_608).default(102_400),
  TRACE_RETENTION_DAYS: days.optional(),
  EXECUTION_RETENTION_DAYS: days.optional(),
  NETWORK_ALLOW_PRIVATE: list
    .refine((targets) => targets.every((target) => parseTarget(target) !== undefined), `each entry ${TARGET_RULE}`)
    .default([]),
  TRACING: z.enum(['database', 'external', 'disabled']).default('database'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json', 'grpc']).optional(),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: z.stringbool({ error: 'must be true or false' }).default(false),
  DOCKER_HOST: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MODEL: z
    .string()
    .refine((name) => name === SCRIPTED || parseModelName(name) !== undefined, MODEL_NAME_RULE)
    .optional(),
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
  MODEL_TIMEOUT_MS: integer(1_000, 86_400_000).default(1_800_000),
  FROZEN_WORKER_MS: integer(1_000, 86_400_000).default(60_000),
  PRICES_FILE: z.string().optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: url.optional(),
  OPENAI_API: z.enum(['responses', 'chat']).optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  ANTHROPIC_BASE_URL: url.optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: z.string().optional(),
  GOOGLE_BASE_URL: url.optional(),
  GROQ_API_KEY: z.string().optional(),
  GROQ_BASE_URL: url.optional(),
  OPENAI_COMPATIBLE_API_KEY: z.string().optional(),
  OPENAI_COMPATIBLE_BASE_URL: url.optional(),
})

/** The validated environment of one process, frozen; field names are the environment's. */
export type Config = Readonly<z.infer<typeof environment>>

/** A wrong or missing setting; its message is the sentence a person reads. */
export class ConfigError extends Error {
  readonly code = 'bad_config'
}

/**
 * Reads the configuration once, at the start of a process.
 *
 * Variables that are missing are taken from `DATA_DIR/stack.env`, where the embedded stack wrote one; an empty variable
 * counts as missing.
 * @throws ConfigError naming each variable that is wrong.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const stackFile = join(resolve(given.DATA_DIR ?? '.data'), 'stack.env')
  const stack = existsSync(stackFile) ? parseEnv(readFileSync(stackFile, 'utf8')) : {}
  // Credentials belong to an endpoint: those of a developer's shell are not the embedded store's.
  const stackStore = given.S3_ENDPOINT === undefined ? ofObjectStore(stack) : {}
  const parsed = environment.safeParse({ ...stack, ...given, ...stackStore })
  if (parsed.success) return Object.freeze(parsed.data)
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${lowerFirst(issue.message)}`)
  throw new ConfigError(`The environment is wrong: ${problems.join('; ')}.`)
}

/**
 * The value of a setting that this process cannot run without.
 * @throws ConfigError naming the variable and the way to get it.
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

function ofObjectStore(stack: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(stack).filter(([name]) => /^(S3|AWS)_/.test(name)))
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
