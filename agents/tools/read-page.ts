import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

export interface Page {
  title: string
  /** The main text without navigation and markup; paragraphs are separated by blank lines. */
  text: string
}

/** The little of the DOM that is needed here: this is no browser, so its types stay out of the project. */
interface PageDocument {
  title: string
  documentElement: { textContent: string } | null
  querySelectorAll: (selectors: string) => Iterable<{ append: (text: string) => void; remove: () => void }>
}

const parse = (html: string) => (parseHTML(html) as unknown as { document: PageDocument }).document

/** Takes the article out of a page of HTML; a page without one gives all of its text. */
export function readPage(html: string): Page {
  const whole = wholePage(html)
  const document = parse(whole)
  const title = tidy(document.title)
  const article = new Readability(parse(whole) as never).parse()
  if (article?.content) {
    return { title: tidy(article.title ?? '') || title, text: textOf(parse(article.content)) }
  }
  for (const element of document.querySelectorAll('title, script, style, noscript, template, nav')) element.remove()
  return { title, text: textOf(document) }
}

/** Pages may leave out html, head and body; the parser wants them. */
function wholePage(html: string): string {
  if (/<html[\s>]/i.test(html)) return html
  const body = html.replace(/<!doctype[^>]*>/i, '')
  const [title = ''] = /<title[^>]*>[^<]*<\/title>/i.exec(body) ?? []
  return `<!doctype html><html><head>${title}</head><body>${body.replace(title, '')}</body></html>`
}

const BLOCKS = 'p, div, section, article, li, h1, h2, h3, h4, h5, h6, pre, blockquote, tr, br, td'

function textOf(document: PageDocument): string {
  for (const block of document.querySelectorAll(BLOCKS)) block.append('\n')
  const text = document.documentElement?.textContent ?? ''
  return text
    .split('\n')
    .map(tidy)
    .filter((line) => line !== '')
    .join('\n\n')
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
