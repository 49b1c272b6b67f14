import { session } from '../api/session.ts'
import { useStore } from '../live/store.ts'
import { copyText } from './copy-button.tsx'

interface CopyMenuProps {
  path: string
  code: string
  /** Of the command line, without `troupe`. */
  command: string
  /** JSON text that is sent; without it the path is only read. */
  body?: string
}

/** The same as a link, as curl, for the command line and as TypeScript; the key itself is never among it. */
export function CopyMenu({ path, code, command, body }: CopyMenuProps) {
  const { key } = useStore(session)
  const header = key === undefined ? '' : ' -H "X-API-Key: $TROUPE_KEY"'
  const sent = body === undefined ? '' : ` -H 'content-type: application/json' -d ${quoted(body)}`
  const choices = [
    { what: 'the link', text: () => location.href },
    { what: 'curl', text: () => `curl -s${header}${sent} '${location.origin}${path}'` },
    { what: 'the command', text: () => `npx troupe --url ${location.origin} ${command}` },
    { what: 'TypeScript', text: () => code },
  ]
  return (
    <details className="menu">
      <summary>Copy as</summary>
      <div className="menu-body">
        {choices.map(({ what, text }) => (
          <button
            key={what}
            type="button"
            data-shortcut={what === 'the link' ? 'y' : undefined}
            onClick={() => void copyText(text(), what)}
          >
            {what}
          </button>
        ))}
      </div>
    </details>
  )
}

/** A word of a shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
