import { asWritten } from '../core/exact-json.ts'

/** A line of CSV, without its end. */
export function csvLine(values: readonly unknown[]): string {
  return values.map((value) => quoted(cellOf(value))).join(',')
}

/**
 * The inputs of tasks as lines of CSV with one column per field, to edit in a spreadsheet and submit
 * again. Missing fields are empty; objects are JSON.
 */
export function inputsCsv(inputs: readonly Record<string, unknown>[]): string[] {
  const fields = [...new Set(inputs.flatMap((task) => Object.keys(task)))]
  // A field may have the name of an inherited property of objects.
  const cells = (task: Record<string, unknown>) =>
    fields.map((field) => (Object.hasOwn(task, field) ? task[field] : null))
  return [csvLine(fields), ...inputs.map((task) => csvLine(cells(asWritten(task) as typeof task)))]
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
