import type { AgentDefinition } from '../definition.ts'
import { parseModelName } from '../../core/model-name.ts'
import type { Prices } from './price.ts'

/** The first model of an agent that nobody knows the price of; undefined when there is none, or the agent is plain code. */
export async function unpricedModel({ model }: AgentDefinition, prices: Prices): Promise<string | undefined> {
  for (const name of model === undefined ? [] : [model].flat()) {
    const parsed = parseModelName(name) ?? { provider: name, model: name }
    if ((await prices.find(parsed.provider, parsed.model)) === undefined) return name
  }
  return undefined
}
