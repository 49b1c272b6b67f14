import MarkdownIt, { type Token } from 'markdown-it'
import { createElement, Fragment, useMemo, type ReactNode } from 'react'

/** What goes deeper is left out by the reader of Markdown, and more parts keep the page busy: such a text stays as it was written. */
const DEEPEST = 100
const MOST_PARTS = 20_000
const ELSEWHERE = new Set(['http:', 'https:', 'mailto:'])

const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: DEEPEST })

/** The elements that there may be; headings lie below those of the page. */
const ELEMENTS = new Map(
  Object.entries({
    ...{ h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' },
    ...{ p: 'p', ul: 'ul', ol: 'ol', li: 'li', blockquote: 'blockquote', strong: 'strong', em: 'em', s: 's' },
    ...{ thead: 'thead', tbody: 'tbody', tr: 'tr', th: 'th', td: 'td' },
  }),
)

/**
 * A text in Markdown as elements of the page: none but those above, and with no attribute of its author. HTML stays text, images
 * are not fetched, links lead to other sites only.
 * @param otherwise - shown for a text that cannot be formatted.
 */
export default function FormattedText({ text, otherwise }: { text: string; otherwise: ReactNode }) {
  const elements = useMemo(() => formatted(text), [text])
  return elements === undefined ? otherwise : <div className="formatted">{elements}</div>
}

function formatted(text: string): ReactNode[] | undefined {
  const tokens = markdown.parse(text, {})
  const parts = tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0)
  if (parts > MOST_PARTS || tokens.some(({ level }) => level >= DEEPEST - 1)) return undefined
  return elementsOf(tokens)
}

/** Each token opens an element, closes the last one, or is whole. */
function elementsOf(tokens: Token[]): ReactNode[] {
  const whole: ReactNode[] = []
  const open: { token: Token; inner: ReactNode[] }[] = []
  for (const [key, token] of tokens.entries()) {
    const closed = token.nesting === -1 ? open.pop() : undefined
    if (token.nesting === 1) open.push({ token, inner: [] })
    else (open.at(-1)?.inner ?? whole).push(<Fragment key={key}>{closed ? element(closed) : leaf(token)}</Fragment>)
  }
  return whole
}

function element({ token, inner }: { token: Token; inner: ReactNode[] }): ReactNode {
  if (token.hidden) return inner
  if (token.tag === 'a') return <Away href={token.attrGet('href')}>{inner}</Away>
  if (token.tag === 'table') {
    return (
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of the answer">
        <table className="table">{inner}</table>
      </div>
    )
  }
  const isRight = token.attrGet('style') === 'text-align:right'
  const start = token.tag === 'ol' ? Number(token.attrGet('start') ?? 1) : undefined
  const name = ELEMENTS.get(token.tag)
  return name === undefined ? inner : createElement(name, { className: isRight ? 'right' : undefined, start }, inner)
}

function leaf(token: Token): ReactNode {
  const { type, content, children } = token
  if (type === 'inline') return elementsOf(children ?? [])
  if (type === 'code_inline') return <code>{content}</code>
  if (type === 'fence' || type === 'code_block') return <pre tabIndex={0}>{content}</pre>
  if (type === 'hr') return <hr />
  if (type === 'softbreak' || type === 'hardbreak') return '\n'
  if (type === 'image') return <Away href={token.attrGet('src')}>{content || 'An image'}</Away>
  return content
}

/** A link, where it leads to another site: what leads into the service could begin something in it. */
function Away({ href, children }: { href: unknown; children: ReactNode }) {
  const address = typeof href === 'string' ? URL.parse(href) : null
  if (address === null || !ELSEWHERE.has(address.protocol) || address.origin === location.origin) return children
  return (
    <a href={address.href} title={address.href} rel="noreferrer" target="_blank">
      {children}
    </a>
  )
}
