/** Saves a value as a JSON file. */
export function downloadJson(value: unknown, name: string): void {
  downloadText(JSON.stringify(value, null, 2), name, 'application/json')
}

/** Saves parts of text as a file. */
export function downloadText(text: string | string[], name: string, type: string): void {
  const url = URL.createObjectURL(new Blob(Array.isArray(text) ? text : [text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
