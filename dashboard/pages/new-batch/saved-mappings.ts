import { keep, kept } from '../../live/kept.ts'
import { COLUMN_TYPES, type Column } from './mapping.ts'

const STORAGE_NAME = 'troupe.mappings'
const AGENTS_KEPT = 20
const COLUMNS_KEPT = 500

/** What columns became for an agent, those of the latest file first. */
interface SavedMapping {
  agent: string
  columns: Column[]
}

/** What columns became for an agent when tasks were last submitted to it from this device. */
export function savedColumns(agent: string): Column[] {
  return stored().find((saved) => saved.agent === agent)?.columns ?? []
}

/** Notes what columns have become for an agent; those of its other files are kept beside. */
export function saveColumns(agent: string, columns: Column[]): void {
  const all = stored()
  const names = new Set(columns.map(({ source }) => source))
  const others = (all.find((saved) => saved.agent === agent)?.columns ?? []).filter(({ source }) => !names.has(source))
  const saved = { agent, columns: [...columns, ...others].slice(0, COLUMNS_KEPT) }
  const next = [saved, ...all.filter((one) => one.agent !== agent)].slice(0, AGENTS_KEPT)
  keep('device', STORAGE_NAME, next)
}

/** What is stored may be of another version, or damaged: that counts as nothing. */
function stored(): SavedMapping[] {
  const value = kept('device', STORAGE_NAME)
  return Array.isArray(value) ? value.filter(isMapping) : []
}

function isMapping(value: Partial<SavedMapping> | null): value is SavedMapping {
  return typeof value?.agent === 'string' && Array.isArray(value.columns) && value.columns.every(isColumn)
}

function isColumn(value: Partial<Column> | null): value is Column {
  return (
    typeof value?.source === 'string' &&
    typeof value.field === 'string' &&
    COLUMN_TYPES.some((known) => known === value.type)
  )
}
