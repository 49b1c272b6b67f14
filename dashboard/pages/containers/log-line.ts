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

/** Tells whether a line fits; or what is wrong with the expression; neither where nothing is asked. */
export type Matcher = { matches: (message: string) => boolean } | { problem: string } | Record<never, never>

/** Reads a filter: `/…/` is a regular expression, anything else a text in any case. */
export function matcherOf(text: string): Matcher {
  if (text === '') return {}
  const expression = /^\/(.+)\/$/.exec(text)?.[1]
  if (expression === undefined) {
    const wanted = text.toLowerCase()
    return { matches: (message) => message.toLowerCase().includes(wanted) }
  }
  try {
    const regex = new RegExp(expression, 'i')
    return { matches: (message) => regex.test(message) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}
