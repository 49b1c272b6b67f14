import { z } from 'zod'
import { isModelName, MODEL_NAME_RULE } from '../../core/model-name.ts'
import { toNanoUsd } from '../../core/cost.ts'
import type { ChargedTokens, Price } from './price.ts'

const SOURCE = 'PRICES_FILE'
const MILLION = 1_000_000
const LONG_PROMPT_TOKENS = 200_000

/** A dollar per token. A higher rate is an error in the file and would make sums inexact. */
const MAX_RATE = 1_000_000
const rate = z.number().min(0).max(MAX_RATE)

/** US dollars per million tokens, with the field names of models.dev. Other fields of models.dev are ignored. */
const flatRates = z.object({
  input: rate,
  output: rate,
  cache_read: rate.optional(),
  cache_write: rate.optional(),
  cache_write_1h: rate.optional(),
  reasoning: rate.optional(),
})
const rates = flatRates.extend({ context_over_200k: flatRates.optional() })

const provider = z.object({ models: z.record(z.string(), z.object({ cost: rates.optional() })) })
const file = z.record(z.string(), z.union([provider, rates]))

type Rates = z.infer<typeof rates>

/**
 * Reads a file of prices. Its form is `{"provider/model": {input, output, cache_read, cache_write}}`, with `provider/*`
 * for all other models of a provider and `scripted` for scripts, or the JSON of models.dev (`{provider: {models:
 * {model: {cost}}}}`), or both together.
 * @returns a function that finds the price of a model.
 * @throws Error with a sentence if the text has another form.
 */
export function readPrices(text: string): (provider: string, model: string) => Price | undefined {
  const entries = new Map(Object.entries(checked(text)).flatMap(([name, entry]) => pricesOf(name, entry)))
  return (provider, model) =>
    entries.get(`${provider}/${model}`) ??
    (provider === model ? entries.get(provider) : undefined) ??
    entries.get(`${provider}/*`)
}

function checked(text: string): z.infer<typeof file> {
  const parsed = file.safeParse(JSON.parse(text))
  if (parsed.success) {
    const unused = Object.entries(parsed.data).find(([name, entry]) => !('models' in entry) && !isModelName(name))
    if (unused === undefined) return parsed.data
    throw new Error(`${unused[0]} is no model: a name ${MODEL_NAME_RULE}`)
  }
  const [issue] = parsed.error.issues
  throw new Error(
    `${issue?.path.join('.') || 'the file'} must have input and output, in US dollars for a million tokens`,
  )
}

function pricesOf(name: string, entry: z.infer<typeof file>[string]): [string, Price][] {
  if (!('models' in entry)) return [[name, priceOf(entry)]]
  return Object.entries(entry.models).flatMap(([model, { cost }]) =>
    cost === undefined ? [] : [[`${name}/${model}`, priceOf(cost)] as [string, Price]],
  )
}

function priceOf({ context_over_200k: long, ...short }: Rates): Price {
  const charge = (tokens: ChargedTokens) => {
    const isLong = tokens.input + tokens.cached + tokens.cache_write > LONG_PROMPT_TOKENS
    const applied = isLong && long !== undefined ? long : short
    return { nanoUsd: toNanoUsd(dollars(applied, tokens)), rates: applied }
  }
  return { source: SOURCE, charge }
}

function dollars(
  {
    input,
    output,
    cache_read = input,
    cache_write = input,
    cache_write_1h = cache_write,
    reasoning = output,
  }: z.infer<typeof flatRates>,
  tokens: ChargedTokens,
): number {
  const hourly = Math.min(tokens.cache_write_1h ?? 0, tokens.cache_write)
  const sum =
    tokens.input * input +
    tokens.cached * cache_read +
    (tokens.cache_write - hourly) * cache_write +
    hourly * cache_write_1h +
    tokens.output * output +
    tokens.reasoning * reasoning
  return sum / MILLION
}
