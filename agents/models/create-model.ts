import type { ProviderConfig } from './language-model.ts'
import { ModelError, type Model } from './model.ts'
import { MODEL_NAME_RULE, parseModelName, SCRIPTED } from './model-name.ts'
import { scriptedModel } from './scripted-model.ts'

export interface ModelsOptions {
  /** The keys and base URLs of the providers; a whole Config will do. */
  config: ProviderConfig
  /** How long one call of a provider may take in all; default 120,000. */
  requestTimeoutMs?: number
}

/**
 * The models of a process, by the name that an agent gives (`scripted` or `provider/model`). Looking one up never throws:
 * a name that cannot work, a missing key for instance, gives a model whose calls fail with a ModelError that is not
 * retryable.
 */
export function createModels({ config, requestTimeoutMs = 120_000 }: ModelsOptions): (name: string) => Model {
  const models = new Map<string, Model>([[SCRIPTED, scriptedModel]])
  return (name) => {
    const known = models.get(name)
    if (known) return known
    const model = createModel(name, config, requestTimeoutMs)
    models.set(name, model)
    return model
  }
}

function createModel(name: string, config: ProviderConfig, requestTimeoutMs: number): Model {
  const parsed = parseModelName(name)
  if (!parsed) {
    const error = new ModelError('unknown_model', `The model ${name} is unknown: it ${MODEL_NAME_RULE}`, {
      retryable: false,
    })
    return failingModel('unknown', name, error)
  }
  const { provider, model } = parsed
  const secrets = Object.entries(config).flatMap(([variable, value]) =>
    variable.endsWith('_API_KEY') && typeof value === 'string' && value.length >= 8 ? [value] : [],
  )
  let made: Promise<Model> | undefined
  const make = async (): Promise<Model> => {
    // Loaded by the first call: a worker whose agents need no provider keeps that memory free.
    const [{ languageModel }, { providerModel }] = await Promise.all([
      import('./language-model.ts'),
      import('./provider-model.ts'),
    ])
    return providerModel({
      provider,
      model,
      languageModel: languageModel(provider, model, config),
      requestTimeoutMs,
      secrets,
    })
  }
  return { provider, model, generate: async (request) => (await (made ??= make())).generate(request) }
}

function failingModel(provider: string, model: string, error: unknown): Model {
  return { provider, model, generate: () => Promise.reject(error as Error) }
}
