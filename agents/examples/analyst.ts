// The second agent of a chain. In {"mode": "sequential", "agents": ["researcher", "analyst", "writer"]} it receives the
// researcher's output as inputs.text. Alone, it works on any text.
import { defineAgent } from '../definition.ts'
import { extractKeySentences } from '../tools/extract-key-sentences.ts'
import { textStatistics } from '../tools/text-statistics.ts'
import { asModel, materialOf, section, titleOf } from './_material.ts'

interface Measures {
  words: number
  sentences: number
  reading_minutes: number
  terms: { term: string; count: number }[]
}

export default defineAgent({
  name: 'analyst',
  role: 'Analyst',
  goal: 'Find what the notes on a subject say at their core, and put numbers to it',
  instructions: `You are an analyst. You are given notes or a text.
Measure it with text_statistics and find its core with key_sentences.
Answer in Markdown: a heading "# <title>", then the sections "## Key points" (at most five, the weightiest first), "## Figures" (a table), "## Gaps" (what the material leaves open) and "## Source".`,
  model: 'scripted',
  tools: [textStatistics, extractKeySentences],
  script: asModel(({ inputs, results }) => {
    const { text } = materialOf(inputs)
    if (text.trim() === '') throw new Error('inputs.text is missing: give the notes or the text to analyse')
    const notes = section(text, 'Notes') || text
    const measures = results.find(({ name }) => name === 'text_statistics')?.result as Measures | undefined
    const points = results.find(({ name }) => name === 'key_sentences')?.result as { sentences: string[] } | undefined
    if (!measures || !points) {
      const toolCalls = [
        { name: 'text_statistics', arguments: { text: notes, terms: 5 } },
        { name: 'key_sentences', arguments: { text: notes, count: 5 } },
      ]
      return { toolCalls }
    }
    const figures = [
      ['Words', measures.words],
      ['Sentences', measures.sentences],
      ['Minutes to read', measures.reading_minutes],
      ['Main terms', measures.terms.map(({ term, count }) => `${term} (${count})`).join(', ') || 'none'],
    ]
    return {
      text: [
        `# ${titleOf(text) ?? 'Analysis'}`,
        `\n## Key points\n\n${points.sentences.map((point) => `- ${point}`).join('\n') || `- ${notes.slice(0, 300)}`}`,
        `\n## Figures\n\n| figure | value |\n|---|---|\n${figures.map((row) => `| ${row.join(' | ')} |`).join('\n')}`,
        `\n## Gaps\n\n- ${/\d/.test(notes) ? 'The numbers were not checked against a second source.' : 'No numbers support the statements.'}`,
        `\n## Source\n\n${section(text, 'Source') || 'the text that was given'}`,
      ].join('\n'),
    }
  }),
})
