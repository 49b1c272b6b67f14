import { session } from '../api/session.ts'
import { useStore } from '../live/store.ts'
import { copyText } from './copy-button.tsx'

interface CopyMenuProps {
  path: string
  code: string
  /** JSON text that is sent; without it the path is only read. */
  body?: string
}

/** The same as a link, as curl and as TypeScript; the key itself is never among it. */
export function CopyMenu({ path, code, body }: CopyMenuProps) {
  const { key } = useStore(session)
  const header = key === undefined ? '' : ' -H "X-API-Key: $TROUPE_KEY"'
  const quoted = body?.replaceAll("'", "'\\''")
  const sent = quoted === undefined ? '' : ` -H 'content-type: application/json' -d '${quoted}'`
  const choices = [
    { what: 'the link', text: () => location.href },
    { what: 'curl', text: () => `curl -s${header}${sent} '${location.origin}${path}'` },
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
