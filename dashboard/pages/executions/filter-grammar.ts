/** The filters that can be typed, by their word. */
const WORDS = {
  status: 'status',
  kind: 'kind',
  agent: 'agent',
  batch: 'batch_id',
  since: 'since',
  until: 'until',
  id: 'id_prefix',
} as const

type Word = keyof typeof WORDS

const CHOICES: Partial<Record<Word, string[]>> = {
  status: ['running', 'completed', 'failed', 'canceled'],
  kind: ['prompt', 'job', 'task', 'chat'],
}

/** What was typed, as a filter; or what is wrong with it. */
export type ParsedFilter = { filter: Record<string, string> } | { problem: string }

/** Reads `status:failed agent:researcher since:1h`; nothing is ignored in silence. */
export function parseFilter(text: string): ParsedFilter {
  const filter: Record<string, string> = {}
  for (const part of text.split(/\s+/).filter((piece) => piece !== '')) {
    const colon = part.indexOf(':')
    const word = (colon === -1 ? '' : part.slice(0, colon)) as Word
    const value = part.slice(colon + 1)
    if (!Object.hasOwn(WORDS, word)) {
      const such = colon === -1 ? `${wordFor(part)}:${part}` : 'status:failed'
      return { problem: `“${part}” is no filter. There are ${Object.keys(WORDS).join(', ')}, such as ${such}.` }
    }
    const choices = CHOICES[word]
    if (value === '') return { problem: `What should ${word} be? Such as ${word}:${choices?.[0] ?? '…'}` }
    if (choices !== undefined && !choices.includes(value)) {
      return { problem: `${word} is one of ${choices.join(', ')}.` }
    }
    filter[WORDS[word]] = value
  }
  return { filter }
}

/** What a value was meant for that somebody typed alone: most look for an agent. */
function wordFor(value: string): Word {
  const known = Object.keys(CHOICES).find((word) => CHOICES[word as Word]?.includes(value))
  return (known as Word | undefined) ?? 'agent'
}

/** A filter as it would be typed. */
export function filterText(filter: object): string {
  return Object.entries(filter)
    .map(([field, value]) => `${wordOf(field)}:${String(value)}`)
    .join(' ')
}

/** A filter without one of its fields. */
export function without<Filter extends object>(filter: Filter, field: string): Partial<Filter> {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => name !== field)) as Partial<Filter>
}

/** The word of a field. */
export function wordOf(field: string): string {
  return Object.entries(WORDS).find(([, known]) => known === field)?.[0] ?? field
}

/** What may come next where somebody types: words, or the values of the word that was begun. */
export function completions(text: string, agents: string[]): string[] {
  const last = text.split(/\s+/).at(-1) ?? ''
  const before = text.slice(0, text.length - last.length)
  const colon = last.indexOf(':')
  if (colon === -1) {
    return Object.keys(WORDS)
      .filter((word) => word.startsWith(last))
      .map((word) => `${before}${word}:`)
  }
  const word = last.slice(0, colon) as Word
  const values = word === 'agent' ? agents : word === 'since' ? ['15m', '1h', '24h', '7d'] : (CHOICES[word] ?? [])
  return values.filter((value) => value.startsWith(last.slice(colon + 1))).map((value) => `${before}${word}:${value}`)
}
