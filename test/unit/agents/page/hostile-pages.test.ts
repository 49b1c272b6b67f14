import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'chai'
import { readPageInThread } from '../../../../agents/tools/page/page-reader.ts'
import { scanPage } from '../../../../agents/tools/page/scan-page.ts'

const KB = 1_024
const { signal } = new AbortController()
const filled = (part: string, bytes: number): string => part.repeat(Math.ceil(bytes / part.length))

const outcome = (html: string): Promise<string> =>
  readPageInThread(html, signal).then(
    ({ text }) => `${text.length} characters`,
    (error: Error) => error.message,
  )

describe('hostile pages', () => {
  for (const [name, part, bytes] of [
    ['nested div, 16 KB', '<div>', 16 * KB],
    ['nested div, 32 KB', '<div>', 32 * KB],
    ['nested div, 64 KB', '<div>', 64 * KB],
    ['nested div, 200 KB', '<div>', 200 * KB],
    ['nested tables, 32 KB', '<table><tr><td>', 32 * KB],
    ['nested b, 64 KB', '<b>', 64 * KB],
    ['nested div, 2 MB', '<div>', 2_048 * KB],
  ] as const) {
    it(`${name}: is refused with a sentence`, async () => {
      expect(await outcome(filled(part, bytes))).to.equal('its elements are nested more than 256 deep')
    })
  }

  for (const [name, part, bytes] of [
    ['x<br>, 2 MB', 'x<br>', 2_048 * KB],
    ['links, 2 MB', '<a href="/there">link</a>', 2_048 * KB],
    ['<title repeated, 2 MB', '<title', 2_048 * KB],
    ['<!doctype repeated, 2 MB', '<!doctype', 2_048 * KB],
    ['closing tags without opening ones, 2 MB', '</p></div>', 2_048 * KB],
    ['one tag with attributes without end, 2 MB', '<a '.concat('b="c" '), 2_048 * KB],
    ['comments that never close, 2 MB', '<!--', 2_048 * KB],
    ['entities, 2 MB', '&amp', 2_048 * KB],
    ['nested to the limit again and again, 400 KB', `${'<i>'.repeat(250)}x${'</i>'.repeat(250)}`, 400 * KB],
    ['x<br>, 64 KB', 'x<br>', 64 * KB],
  ] as const) {
    it(`${name}: is read`, async () => {
      expect(await outcome(filled(part, bytes))).to.match(/^\d+ characters$/)
    })
  }

  it('leave the event loop free while they are read', async () => {
    const delays = monitorEventLoopDelay({ resolution: 10 })
    const page = filled(`${'<div>'.repeat(150)}x${'</div>'.repeat(150)}`, 20 * KB)
    await outcome(page)
    delays.enable()
    const startedAt = performance.now()
    while (performance.now() - startedAt < 1_000) await outcome(page)
    delays.disable()
    expect(delays.percentile(99) / 1_000_000).to.be.lessThan(300)
  })

  it('gives the text of a page that is too large to look for its article', () => {
    const { text, elements } = scanPage(filled('<p>one two</p><script>no</script>', 600 * KB))
    expect(text.slice(0, 16)).to.equal('one two\n\none two')
    expect(elements).to.be.greaterThan(20_000)
  })
})
