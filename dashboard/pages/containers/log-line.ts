import type { Piece } from '../../live/ansi.ts'

/** How grave a line is. */
export type Level = 'error' | 'warn' | 'info'

const PINO_WARN = 40
const PINO_ERROR = 50

/** The level that a line names: in JSON as a number or a word, else as a word anywhere. */
export function levelOf(message: string): Level {
  const number = Number(/"level":\s*(\d+)/.exec(message)?.[1] ?? 0)
  if (number >= PINO_ERROR) return 'error'
  if (number >= PINO_WARN) return 'warn'
  if (number > 0) return 'info'
  if (/\b(error|fatal|panic)\b/i.test(message)) return 'error'
  return /\bwarn(ing)?\b/i.test(message) ? 'warn' : 'info'
}

/** What fits a filter: as an expression that finds all of it; what is wrong with it; or neither where nothing is asked. */
export type Matcher = { expression: RegExp } | { problem: string } | Record<never, never>

/** Reads a filter: `/…/` is a regular expression, anything else a text; both in any case. */
export function matcherOf(text: string): Matcher {
  if (text === '') return {}
  const expression = /^\/(.+)\/$/.exec(text)?.[1] ?? text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  try {
    return { expression: new RegExp(expression, 'gi') }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** A part of a line, which may be what a filter asks for. */
export interface MarkedPiece extends Piece {
  isMatch: boolean
}

const MAX_MARKS = 100

/** The parts of a line with what fits the filter as parts of its own. */
export function markedPieces(pieces: readonly Piece[], expression: RegExp | undefined): MarkedPiece[] {
  const borders = expression === undefined ? [] : bordersOf(pieces.map(({ text }) => text).join(''), expression)
  const marked: MarkedPiece[] = []
  let offset = 0
  let passed = 0
  for (const { text, className } of pieces) {
    let from = 0
    while (from < text.length) {
      while (passed < borders.length && (borders[passed] as number) <= offset + from) passed += 1
      const to = Math.min(text.length, (borders[passed] ?? Infinity) - offset)
      // Matches begin at the first, the third … border.
      marked.push({ text: text.slice(from, to), className, isMatch: passed % 2 === 1 })
      from = to
    }
    offset += text.length
  }
  return marked
}

/** Where matches begin and end, one after the other; the first hundred. */
function bordersOf(text: string, expression: RegExp): number[] {
  const borders: number[] = []
  for (const { 0: match, index } of text.matchAll(expression)) {
    // One that is empty, or begins where the last one ended, has no border of its own.
    if (match !== '' && borders.at(-1) === index) borders[borders.length - 1] = index + match.length
    else if (match !== '') borders.push(index, index + match.length)
    if (borders.length >= 2 * MAX_MARKS) break
  }
  return borders
}
