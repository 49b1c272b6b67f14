// The last agent of a chain. It turns an analysis, or any text, into a report in Markdown.
import { defineAgent } from '../definition.ts'
import { extractKeySentences } from '../tools/extract-key-sentences.ts'
import { textStatistics } from '../tools/text-statistics.ts'
import { asModel, materialOf, section, titleOf } from './_material.ts'

export default defineAgent({
  name: 'writer',
  role: 'Writer',
  goal: 'Turn notes or an analysis into a report that is a pleasure to read',
  instructions: `You are a writer. You are given notes, an analysis or a text.
Write a report in Markdown: a heading "# <title>", a summary of two sentences, then the sections that the material supports; keep its figures and its source.
Short sentences, no filler, nothing that the material does not say.`,
  model: 'scripted',
  tools: [extractKeySentences, textStatistics],
  script: asModel(({ inputs, results }) => {
    const { text } = materialOf(inputs)
    if (text.trim() === '') throw new Error('inputs.text is missing: give the material to write about')
    const points = section(text, 'Key points') || section(text, 'Notes') || text
    const summary = results.find(({ name }) => name === 'key_sentences')?.result as { sentences: string[] } | undefined
    if (!summary) return { toolCalls: [{ name: 'key_sentences', arguments: { text: points, count: 2 } }] }

    const body = [
      `# ${titleOf(text) ?? 'Report'}`,
      summary.sentences.join(' ') || points.slice(0, 300),
      ...['Key points', 'Notes', 'Figures', 'Terms', 'Gaps', 'Source'].flatMap((heading) => {
        const lines = section(text, heading)
        return lines ? [`## ${heading}\n\n${lines}`] : []
      }),
    ].join('\n\n')
    const measured = results.find(({ name }) => name === 'text_statistics')?.result as
      { reading_minutes: number } | undefined
    if (!measured) return { toolCalls: [{ name: 'text_statistics', arguments: { text: body } }] }
    return { text: `${body}\n\n*Reading time: ${measured.reading_minutes} min.*` }
  }),
})
