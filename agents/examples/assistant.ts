// An agent to chat with: GET /api/agents/assistant/chat?message=What time is it in Asia/Tokyo?
import { defineAgent, type ScriptAnswer } from '../definition.ts'
import { currentTime } from '../tools/current-time.ts'
import { fetchPage } from '../tools/fetch-page.ts'
import { textStatistics } from '../tools/text-statistics.ts'
import { asModel, materialOf } from './_material.ts'

export default defineAgent({
  name: 'assistant',
  role: 'Assistant',
  goal: 'Answer a message, with tools where they help',
  instructions: `You are a friendly assistant. Answer the message briefly.
Use current_time for questions about date or time, text_statistics to count words, fetch_page to read a page that the message names.`,
  model: 'scripted',
  tools: [currentTime, textStatistics, fetchPage],
  script: asModel(({ inputs, results: [answer] }) => {
    const { text, url } = materialOf(inputs)
    if (!answer) return firstStep(text, url)
    // A failed call is reported like any other result.
    if (answer.error) return { text: `That did not work: ${answer.error}` }
    const result = answer.result as { local: string; time_zone: string; title: string; words: number; text: string }
    if (answer.name === 'current_time') return { text: `It is ${result.local} in ${result.time_zone}.` }
    if (answer.name === 'text_statistics') return { text: `That is ${result.words} words.` }
    return { text: `**${result.title}**\n\n${result.text.slice(0, 600)}` }
  }),
})

function firstStep(text: string, url: string | undefined): ScriptAnswer {
  if (url) return { toolCalls: [{ name: 'fetch_page', arguments: { url } }] }
  if (/\b(time|date|day|clock)\b/i.test(text)) {
    const [zone] = /\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+\b/.exec(text) ?? []
    return { toolCalls: [{ name: 'current_time', arguments: zone ? { time_zone: zone } : {} }] }
  }
  const counted = textToCount(text)
  if (counted) return { toolCalls: [{ name: 'text_statistics', arguments: { text: counted } }] }
  return {
    text: [
      `You said: ${text || 'nothing'}`,
      'I run without a model here. I can tell the time ("What time is it in Europe/Zurich?"), count ("How many words: …"),',
      'and read a page (name its URL). Set MODEL and its key, and I answer everything else too.',
    ].join('\n'),
  }
}

/** Returns the text after the colon of "Count: …" or "How many words …: …". */
function textToCount(text: string): string | undefined {
  const asked = /\b(?:count|how many words)\b/i.exec(text)
  const colon = asked === null ? -1 : text.indexOf(':', asked.index)
  return colon === -1 ? undefined : text.slice(colon + 1).trim()
}
