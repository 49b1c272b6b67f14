import { wrapLanguageModel, type LanguageModel } from 'ai'
import type { JsonSchema } from '../definition.ts'

/**
 * The same model, asked for JSON of a schema in the provider's own structured mode. By the parameters of the call rather
 * than by the package's `output`, which parses the JSON anew with each piece that comes.
 */
export function withResponseFormat(model: LanguageModel, schema: JsonSchema | undefined): LanguageModel {
  if (schema === undefined || typeof model === 'string') return model
  return wrapLanguageModel({
    model: model as Parameters<typeof wrapLanguageModel>[0]['model'],
    middleware: {
      transformParams: async ({ params }) => ({
        ...params,
        responseFormat: { type: 'json', name: 'output', schema: schema as never },
      }),
    },
  })
}
