import { defineTool } from '../definition.ts'
import { measureText } from './text-measures.ts'

/** Words, sentences, reading time and most frequent terms of a text. The parameters are plain JSON Schema. */
export const textStatistics = defineTool({
  name: 'text_statistics',
  description: 'Counts the words and sentences of a text, its reading time in minutes and its most frequent terms.',
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The text to measure.' },
      terms: { type: 'integer', minimum: 1, maximum: 50, description: 'How many terms to list; default 8.' },
    },
    required: ['text'],
  },
  execute: ({ text, terms }: { text: string; terms?: number }) => measureText(text, terms),
})
