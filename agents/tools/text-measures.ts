import { eng } from 'stopword'

/** Average reading speed of adults. */
const WORDS_PER_MINUTE = 230

const stopWords = new Set(eng)
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

export interface TextMeasures {
  characters: number
  words: number
  sentences: number
  /** Whole minutes, rounded up. */
  reading_minutes: number
  /** The most frequent words, without stop words, most frequent first. */
  terms: { term: string; count: number }[]
}

/** Measures a text in any script that Unicode can segment. */
export function measureText(text: string, maxTerms = 8): TextMeasures {
  const words = wordsOf(text)
  return {
    characters: text.length,
    words: words.length,
    sentences: sentencesOf(text).length,
    reading_minutes: Math.ceil(words.length / WORDS_PER_MINUTE),
    terms: [...termCounts(words)]
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .slice(0, maxTerms)
      .map(([term, count]) => ({ term, count })),
  }
}

/** Returns the sentences with the most frequent terms of a text, in the order of the text. */
export function keySentences(text: string, count = 5): string[] {
  const weights = termCounts(wordsOf(text))
  const scored = [...new Set(sentencesOf(text))].map((sentence, index) => {
    const words = wordsOf(sentence)
    const weight = words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
    // The square root balances long sentences, which have more terms, and short ones, which have a higher density of
    // terms.
    return { sentence, index, score: words.length < 4 ? 0 : weight / Math.sqrt(words.length) }
  })
  const best = scored.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, count)
  return best.sort((a, b) => a.index - b.index).map(({ sentence }) => sentence)
}

/** Returns the words of a text in lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  return [...wordSegmenter.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? segment.toLowerCase() : [],
  )
}

function sentencesOf(text: string): string[] {
  const lines = text.split(/\n+/).map((line) => line.replace(/^[\s#>*-]+/, ''))
  return lines.flatMap((line) =>
    [...sentenceSegmenter.segment(line)]
      .map(({ segment }) => segment.trim())
      .filter((sentence) => /\p{L}/u.test(sentence)),
  )
}

function termCounts(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) {
    if (word.length < 3 || stopWords.has(word) || !/\p{L}/u.test(word)) continue
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
