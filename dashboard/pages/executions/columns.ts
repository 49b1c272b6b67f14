/** A column of the executions. */
export interface Column {
  label: string
  /** Its width, as a track of a grid. */
  width: string
  /** Whether it is there whatever was chosen. */
  always?: true
}

/** All columns, in their order. */
export const COLUMNS: readonly Column[] = [
  { label: 'Status', width: '116px', always: true },
  { label: 'Id', width: '92px', always: true },
  { label: 'Kind', width: '76px' },
  { label: 'Agent', width: 'minmax(110px, 1fr)', always: true },
  { label: 'Batch', width: 'minmax(90px, 150px)' },
  { label: 'Created', width: '100px' },
  { label: 'Completed', width: '100px' },
  { label: 'Duration', width: '104px' },
  { label: 'Tokens', width: '84px' },
  { label: 'Error', width: 'minmax(120px, 2fr)' },
]

/** The columns that are shown where these were chosen. */
export function shownColumns(chosen: readonly string[]): Column[] {
  return COLUMNS.filter(({ label, always }) => always === true || chosen.includes(label))
}

/** The tracks of a row: the box to choose it, and its columns. */
export function tracksOf(columns: readonly Column[]): string {
  return ['34px', ...columns.map(({ width }) => width)].join(' ')
}
