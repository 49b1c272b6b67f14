import { Parser } from 'htmlparser2'

/**
 * The result of one pass over a page's HTML. The pass takes time in proportion to the page's length for any content.
 */
export interface ScannedPage {
  title: string
  /** All text except hidden parts; paragraphs are separated by blank lines. */
  text: string
  /** Whether the page has an html element; pages may omit it. */
  hasRoot: boolean
  elements: number
  /** Sum of the depths of all elements: the cost of a walk from every element to the root. */
  depths: number
}

/** Real pages nest a few dozen elements. */
const MAX_DEPTH = 256

const HIDDEN = new Set(['title', 'script', 'style', 'noscript', 'template', 'nav'])
const BLOCKS = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header ' +
    'hr li main ol p pre section table td th tr ul'
  ).split(' '),
)

/**
 * Reads a page's title and text without building a document.
 * @throws Error if elements are nested deeper than in any real page, because later steps would take excessive time.
 */
export function scanPage(html: string): ScannedPage {
  const found = { elements: 0, depths: 0, hasRoot: false }
  const pieces: string[] = []
  const titles: string[] = []
  let title: string[] | undefined
  let depth = 0
  let hiddenAt: number | undefined
  const parser = new Parser({
    onopentag(name) {
      depth += 1
      if (depth > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`)
      found.elements += 1
      found.depths += depth
      if (name === 'html') found.hasRoot = true
      if (name === 'title' && titles.length === 0) title = titles
      if (HIDDEN.has(name)) hiddenAt ??= depth
      else if (BLOCKS.has(name)) pieces.push('\n')
    },
    ontext(text) {
      title?.push(text)
      if (hiddenAt === undefined) pieces.push(text)
    },
    onclosetag(name) {
      if (depth === hiddenAt) hiddenAt = undefined
      depth -= 1
      if (name === 'title') title = undefined
      if (BLOCKS.has(name)) pieces.push('\n')
    },
  })
  parser.end(html)
  return { ...found, title: tidy(titles.join('')), text: paragraphs(pieces.join('')) }
}

/** Replaces white space by single spaces. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function paragraphs(text: string): string {
  const lines = text.split('\n').map(tidy)
  return lines.filter((line) => line !== '').join('\n\n')
}
