import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { keySentences } from './text-measures.ts'

const parameters = z.object({
  text: z.string().describe('The text to condense.'),
  count: z.int().min(1).max(50).default(5).describe('How many sentences to give.'),
})

/**
 * The most informative sentences of a text. The parameters are a zod object: zod checks them, and the model sees them
 * as JSON Schema.
 */
export const extractKeySentences = defineTool({
  name: 'key_sentences',
  description: 'Picks the most telling sentences of a text, in their order.',
  parameters,
  execute: ({ text, count }: z.infer<typeof parameters>) => ({ sentences: keySentences(text, count) }),
})
