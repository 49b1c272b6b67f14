import { notify } from '../shell/toasts.tsx'

/** Copies a text, and says so. @param text - a function where it is made only when it is wanted */
export function CopyButton({
  text,
  what,
  children,
}: {
  text: string | (() => string)
  what: string
  children?: string
}) {
  const copy = (): Promise<void> => copyText(typeof text === 'string' ? text : text(), what)
  return (
    <button type="button" className="quiet" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {children ?? 'Copy'}
    </button>
  )
}

/** Copies a text; pages that were not loaded over HTTPS have no clipboard but the old one. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify(`Copied ${what}.`)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    notify(done ? `Copied ${what}.` : 'The browser did not allow copying.')
  }
}
