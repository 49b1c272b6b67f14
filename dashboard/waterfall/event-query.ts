import { wordOfType } from './event-words.ts'
import type { TraceTable } from './trace-table.ts'

/** What the events of a trace are filtered by, as it was typed: `search type:tool -type:model slower:2s`. */
export interface EventQuery {
  /** In lower case; empty fits all. */
  text: string
  /** Types by their names or words; none fits all. */
  only: string[]
  without: string[]
  /** Only what took longer, in ms; -1 fits all. */
  slowerMs: number
}

/** What can be typed beside text, as examples. */
export const EVENT_WORDS = ['type:tool', 'type:model', 'type:error', '-type:model', 'slower:500ms', 'slower:2s']

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 }

/** Reads what was typed; a word that is none of these is a part of the text. */
export function parseEventQuery(typed: string): EventQuery {
  const query: EventQuery = { text: '', only: [], without: [], slowerMs: -1 }
  const words = typed.toLowerCase().split(/\s+/)
  const text = words.filter((word) => {
    const [, minus, types] = /^(-?)type:(\S+)$/.exec(word) ?? []
    const [, amount, unit = 'ms'] = /^slower:(\d+(?:\.\d+)?)(ms|s|m|min|h)?$/.exec(word) ?? []
    if (types !== undefined) (minus === '' ? query.only : query.without).push(...types.split(','))
    if (amount !== undefined) query.slowerMs = Number(amount) * (UNIT_MS[unit] as number)
    return types === undefined && amount === undefined
  })
  return { ...query, text: text.join(' ').trim() }
}

/** Whether a query lets every event through. */
export function fitsAll({ text, only, without, slowerMs }: EventQuery): boolean {
  return text === '' && only.length === 0 && without.length === 0 && slowerMs < 0
}

/** Whether an event fits a query. */
export function fitsQuery(table: TraceTable, row: number, { text, only, without, slowerMs }: EventQuery): boolean {
  const { name, agent, type, start, end } = table
  const isOf = (wanted: string): boolean => type[row] === wanted || wordOfType(type[row] ?? '') === wanted
  if (only.length > 0 && !only.some(isOf)) return false
  if (without.some(isOf)) return false
  if (slowerMs >= 0 && (end[row] as number) - (start[row] as number) <= slowerMs) return false
  return text === '' || [name[row], agent[row], type[row]].some((each) => each?.toLowerCase().includes(text))
}
