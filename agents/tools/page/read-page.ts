import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { scanPage, tidy, type ScannedPage } from './scan-page.ts'

/** A page as a reader sees it. */
export interface Page {
  title: string
  /** The main text without navigation and markup; paragraphs are separated by blank lines. */
  text: string
}

/** The little of the DOM that is needed here: this is no browser, so its types stay out of the project. */
interface PageDocument {
  querySelectorAll: (selectors: string) => Iterable<{ remove: () => void }>
}

/** Larger pages are read without looking for their article: that takes far more time than their length says. */
const MAX_ARTICLE_CHARACTERS = 500_000
const MAX_ARTICLE_ELEMENTS = 10_000
const MAX_ARTICLE_DEPTHS = 200_000

/**
 * Takes the article out of a page of HTML; a page without one, or too large to look for it, gives all of its text. It
 * computes without a pause, so it runs in a thread of its own (page-thread.ts).
 * @throws Error when the page is nested too deep.
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

/** Pages may leave out html, head and body; the parser wants them. */
function wholePage(html: string, { hasRoot, title }: Pick<ScannedPage, 'hasRoot' | 'title'>): string {
  if (hasRoot) return html
  const start = html.trimStart()
  const isDoctype = start.slice(0, 9).toLowerCase() === '<!doctype'
  const body = isDoctype ? start.slice(start.indexOf('>') + 1) : start
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html><head><title>${escaped}</title></head><body>${body}</body></html>`
}
