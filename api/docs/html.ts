/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | Html[]

/** A template of HTML: every value that is not HTML itself is escaped. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(
    strings.map((text, index) => text + (index < pieces.length ? rendered(pieces[index] ?? '') : '')).join(''),
  )
}

/** A piece of code in a line. */
export function code(text: string): Html {
  return html`<code>${text}</code>`
}

/** A sentence in which `code` is marked by backticks. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? code(part) : html`${part}`))}`
}

function rendered(piece: Piece): string {
  if (Array.isArray(piece)) return piece.map(rendered).join('')
  if (piece instanceof Html) return piece.text
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return String(piece).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}
