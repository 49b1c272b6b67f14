import { SpanKind } from '@opentelemetry/api'
import type { Model, ModelAnswer, ModelError } from '../agents/models/model.ts'
import { chatAttributes, inputMessages, outputMessages, usageAttributes } from './genai.ts'
import { errorType, inSpan } from './tracer.ts'
import { labelOf, modelCallSeconds, tokens } from './work-metrics.ts'

export interface ObserveOptions {
  /** Whether spans may contain the content of conversations. */
  captureContent: boolean
}

/** Wraps the models: calls are measured and, with tracing, become `chat` spans. */
export function observeModels(models: (name: string) => Model, options: ObserveOptions): (name: string) => Model {
  return (name) => observeModel(models(name), options)
}

function observeModel(model: Model, { captureContent }: ObserveOptions): Model {
  const labels = { provider: model.provider, model: labelOf.model(model.model) }
  return {
    ...model,
    generate(request) {
      const attributes = chatAttributes(model, request)
      return inSpan(`chat ${model.model}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        const captures = captureContent && span.isRecording()
        if (captures) span.setAttribute('gen_ai.input.messages', inputMessages(request))
        const startedAt = performance.now()
        const measure = (outcome: string): void =>
          modelCallSeconds.observe({ ...labels, outcome }, (performance.now() - startedAt) / 1_000)
        try {
          const answer = await model.generate(request)
          measure('ok')
          span.setAttributes(usageAttributes(answer))
          countTokens(labels, answer)
          if (captures) span.setAttribute('gen_ai.output.messages', outputMessages(answer))
          return answer
        } catch (error) {
          measure(request.signal.aborted ? 'aborted' : errorType(error))
          countTokens(labels, error as Partial<ModelError>)
          throw error
        }
      })
    },
  }
}

/** A failed call has used tokens too. */
function countTokens(labels: { provider: string; model: string }, { usage }: Partial<ModelAnswer | ModelError>): void {
  if (usage === undefined) return
  tokens.inc({ ...labels, type: 'input' }, usage.prompt_tokens)
  tokens.inc({ ...labels, type: 'output' }, usage.completion_tokens)
}
