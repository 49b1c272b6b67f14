// A model agent with tools. Without an API key, its "model" is the script below. Like a real model, the script decides
// step by step which tools to call and what to answer, but its decisions are predictable. If MODEL (and its key) is
// set, the real model replaces the script and follows `instructions`.
import { defineAgent } from '../definition.ts'
import { extractKeySentences } from '../tools/extract-key-sentences.ts'
import { fetchPage } from '../tools/fetch-page.ts'
import { textStatistics } from '../tools/text-statistics.ts'
import { asModel, materialOf } from './_material.ts'

export default defineAgent({
  name: 'researcher',
  role: 'Researcher',
  goal: 'Read a page or a text and note down what matters in it',
  instructions: `You are a careful researcher. You are given a URL, a text or a question.
If there is a URL, read it with fetch_page. Find its most telling sentences with key_sentences, and its terms with text_statistics.
Answer in Markdown: a heading "# <title>", then the sections "## Source", "## Notes" (the facts as a list, each one supported by the source) and "## Terms".
State only what the source says. Say so when it does not answer the question.`,
  model: 'scripted',
  tools: [fetchPage, extractKeySentences, textStatistics],
  script: asModel(({ inputs, results }) => {
    const material = materialOf(inputs)
    const page = results.find(({ name }) => name === 'fetch_page')
    if (material.url && !page) return { toolCalls: [{ name: 'fetch_page', arguments: { url: material.url } }] }
    // A failed tool does not end the run: the model reads the error and decides. This script gives up with that error.
    if (page?.error) throw new Error(page.error)

    const { title, text, url } = {
      title: material.text.split(/\s+/).slice(0, 8).join(' '),
      text: material.text,
      url: 'the text that was given',
      ...(page?.result as { title: string; text: string; url: string } | undefined),
    }
    if (text.trim() === '') throw new Error('There is nothing to read: give a url, or a text')

    // Calls of one response run in parallel.
    const notes = results.find(({ name }) => name === 'key_sentences')?.result
    const measures = results.find(({ name }) => name === 'text_statistics')?.result
    if (!notes || !measures) {
      const toolCalls = [
        { name: 'key_sentences', arguments: { text, count: 8 } },
        { name: 'text_statistics', arguments: { text, terms: 10 } },
      ]
      return { toolCalls }
    }
    const { sentences } = notes as { sentences: string[] }
    const { terms, words } = measures as { terms: { term: string; count: number }[]; words: number }
    return {
      text: [
        `# ${title || url}`,
        `\n## Source\n\n${url} (${words} words)`,
        `\n## Notes\n\n${sentences.map((sentence) => `- ${sentence}`).join('\n') || `- ${text.slice(0, 300)}`}`,
        `\n## Terms\n\n${terms.map(({ term, count }) => `- ${term} (${count})`).join('\n')}`,
      ].join('\n'),
    }
  }),
})
