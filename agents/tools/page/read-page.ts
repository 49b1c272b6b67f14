import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { scanPage, tidy, type ScannedPage } from './scan-page.ts'

/** The readable content of a page. */
export interface Page {
  title: string
  /** The main text without navigation and markup; paragraphs are separated by blank lines. */
  text: string
}

/** The part of the DOM in use here. The DOM's own types would apply to the whole project, which is not a browser. */
interface PageDocument {
  querySelectorAll: (selectors: string) => Iterable<{ remove: () => void }>
}

/**
 * Limits for finding the article of a page, because its time grows faster than the length of the page. Above them, all
 * of the text is returned.
 */
const MAX_ARTICLE_CHARACTERS = 500_000
const MAX_ARTICLE_ELEMENTS = 10_000
const MAX_ARTICLE_DEPTHS = 200_000

/**
 * Extracts the article of an HTML page. If the page has none, or is too large to search, the result is all of its text.
 * The function computes without a pause, so it runs in its own thread (page-thread.ts).
 * @throws Error if the page is nested too deeply.
 */
export function readPage(html: string): Page {
  const { title, text, ...page } = scanPage(html)
  const small =
    html.length <= MAX_ARTICLE_CHARACTERS && page.elements <= MAX_ARTICLE_ELEMENTS && page.depths <= MAX_ARTICLE_DEPTHS
  const article = small ? articleOf(wholePage(html, { ...page, title })) : null
  if (!article?.content) return { title, text }
  return { title: tidy(article.title ?? '') || title, text: scanPage(article.content).text }
}

function articleOf(html: string): { title?: string | null; content?: string | null } | null {
  const { document } = parseHTML(html) as unknown as { document: PageDocument }
  for (const title of document.querySelectorAll('body title')) title.remove()
  return new Readability(document as never).parse()
}

/** Adds html, head and body if the page omits them, because the parser requires them. */
function wholePage(html: string, { hasRoot, title }: Pick<ScannedPage, 'hasRoot' | 'title'>): string {
  if (hasRoot) return html
  const start = html.trimStart()
  const isDoctype = start.slice(0, 9).toLowerCase() === '<!doctype'
  const body = isDoctype ? start.slice(start.indexOf('>') + 1) : start
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html><head><title>${escaped}</title></head><body>${body}</body></html>`
}
