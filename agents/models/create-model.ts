import type { ProviderConfig } from './language-model.ts'
import { ModelError, type Model } from './model.ts'
import { MODEL_NAME_RULE, parseModelName, SCRIPTED } from '../../core/model-name.ts'
import { scriptedModel } from './scripted-model.ts'
import { modelTimeouts, type ModelTimeouts } from './silence.ts'

export interface ModelsOptions {
  /** Keys and base URLs of the providers, and MODEL_TIMEOUT_MS. A complete Config fits too. */
  config: ProviderConfig
  /** Time limits of a response; default: derived from MODEL_TIMEOUT_MS. */
  timeouts?: ModelTimeouts
}

/**
 * Creates the models of a process, by their names in agents (`scripted` or `provider/model`). The lookup never throws.
 * A name that cannot work, for example because a key is missing, gives a model whose calls fail with a ModelError that
 * is not retryable.
 */
export function createModels({
  config,
  timeouts = modelTimeouts(config.MODEL_TIMEOUT_MS),
}: ModelsOptions): (name: string) => Model {
  const models = new Map<string, Model>([[SCRIPTED, scriptedModel]])
  return (name) => {
    const known = models.get(name)
    if (known) return known
    const model = createModel(name, config, timeouts)
    models.set(name, model)
    return model
  }
}

function createModel(name: string, config: ProviderConfig, timeouts: ModelTimeouts): Model {
  const parsed = parseModelName(name)
  if (!parsed) {
    const error = new ModelError('unknown_model', `The model ${name} is unknown: it ${MODEL_NAME_RULE}`, {
      kind: 'refused',
    })
    return failingModel('unknown', name, error)
  }
  const { provider, model } = parsed
  const secrets = Object.entries(config).flatMap(([variable, value]) =>
    variable.endsWith('_API_KEY') && typeof value === 'string' && value.length >= 8 ? [value] : [],
  )
  let made: Promise<Model> | undefined
  const make = async (): Promise<Model> => {
    // The first call loads these modules, which saves their memory in workers whose agents need no provider.
    const [{ languageModel, wireOf }, { providerModel }] = await Promise.all([
      import('./language-model.ts'),
      import('./provider-model.ts'),
    ])
    return providerModel({
      provider,
      model,
      wire: wireOf(provider, config),
      languageModel: languageModel(provider, model, config),
      timeouts,
      secrets,
    })
  }
  return { provider, model, generate: async (request) => (await (made ??= make())).generate(request) }
}

function failingModel(provider: string, model: string, error: unknown): Model {
  return { provider, model, generate: () => Promise.reject(error as Error) }
}
