import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

const HARMLESS = [
  '# Report',
  'It is **done**, see [the source](https://example.com/source).',
  '| city | degrees |\n| --- | ---: |\n| Oslo | 3 |',
  '3. asked\n4. ~~told~~',
  '```\nconst a = 1\n```',
]
/** What would run, load or lead somewhere if it were taken for what it says. */
const HOSTILE = [
  '<img src="https://evil.example/a.png" onerror="globalThis.taken = 1"><script>globalThis.taken = 2</script>',
  '<iframe src="javascript:parent.taken = 3"></iframe><style>* { display: none }</style><svg onload="taken = 4">',
  '<a href="javascript:taken = 5" style="position: fixed; inset: 0">HTML</a><form action="https://evil.example">',
  '![an image](https://evil.example/b.png?secret=1) ![another](javascript:taken) ![data](data:image/svg+xml,<svg/>)',
  '[one](javascript:taken=6) [two](JaVaScRiPt:taken=7) [three](&#106;avascript:taken=8) [four](java\\script:taken=9)',
  '[five](data:text/html,<script>1</script>) [six](vbscript:x) [seven](blob:x) [eight](file:///etc/passwd)',
  '[nine](/api/agents/instant/chat?message=x) [ten](//evil.example/x) [eleven](#page) [twelve][ref] <javascript:taken=10>',
  '[ref]: javascript:taken=11',
  '[^note] [^note]: <b onmouseover="taken = 12">note</b>',
]
/** What is made to keep a reader of Markdown busy, or to break it. */
const HEAVY = [
  '>'.repeat(20_000),
  '['.repeat(40_000),
  '*a **a _a '.repeat(4_000),
  '- '.repeat(20_000),
  '|-'.repeat(20_000),
]

describe('Answers of models that are shown formatted', function () {
  this.timeout(120_000)

  const scene = dashboardScene()

  /** Says it to an agent that says it again. */
  async function answered(page: Page, message: string): Promise<void> {
    const answers = page.locator('.chat-theirs[data-status=completed]')
    const before = await answers.count()
    await page.getByLabel('Message').fill(message)
    await page.keyboard.press('Enter')
    await answers.nth(before).waitFor()
  }

  it('are Markdown as elements where that was chosen, and text elsewhere', async () => {
    const { page, context, problems } = await scene.open('/agents/instant')
    await answered(page, HARMLESS.join('\n\n'))
    const answer = page.locator('.chat-theirs')
    await answer.getByText('It is **done**').waitFor()
    await page.getByRole('button', { name: 'Formatted' }).click()
    await answer.getByRole('heading', { name: 'Report' }).waitFor()
    expect(await answer.locator('strong').innerText()).to.equal('done')
    expect(await answer.getByRole('link', { name: 'the source' }).getAttribute('rel')).to.equal('noreferrer')
    expect(await answer.getByRole('cell').allInnerTexts()).to.deep.equal(['Oslo', '3'])
    expect(await answer.locator('ol[start="3"] > li').allInnerTexts()).to.deep.equal(['asked', 'told'])
    expect(await axeProblems(page)).to.deep.equal([])
    await page.reload()
    await answer.getByRole('heading', { name: 'Report' }).waitFor()
    // It holds for the page of the execution, too.
    await answer.getByRole('link', { name: /^[0-9a-f]{8}$/ }).click()
    await page.getByRole('tab', { name: 'Input and output' }).click()
    const panel = page.getByRole('region', { name: 'Answer', exact: true })
    await panel.getByRole('heading', { name: 'Report' }).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await panel.getByRole('button', { name: 'Text', exact: true }).click()
    await panel.getByText('It is **done**').waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('run nothing, load nothing and lead nowhere but to other sites, whatever a model writes', async () => {
    const { page, context, problems, addresses } = await scene.open('/agents/instant')
    await answered(page, HOSTILE.join('\n\n'))
    await page.getByRole('button', { name: 'Formatted' }).click()
    const answer = page.locator('.chat-theirs .formatted')
    await answer.waitFor()
    const made = await answer.evaluate((element) =>
      [...element.querySelectorAll('*')].map(({ localName }) => localName),
    )
    expect(made).to.include.members(['p', 'a'])
    expect([...new Set(made)]).to.deep.equal([...new Set(made)].filter((name) => /^(p|a)$/.test(name)))
    const links = await answer.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).to.deep.equal(['https://evil.example/b.png?secret=1'])
    expect(await answer.locator('[style], [onerror], [onload], [onmouseover]').count()).to.equal(0)
    expect(await answer.innerText()).to.include('<script>globalThis.taken = 2</script>')
    expect(await page.evaluate('globalThis.taken')).to.equal(undefined)
    // A browser would look up the hosts of links before anybody follows one.
    const { headers } = await fetch(page.url())
    expect(headers.get('x-dns-prefetch-control')).to.equal('off')
    const own = new URL(scene.service.api.url).host
    expect(addresses.filter((address) => new URL(address).host !== own)).to.deep.equal([])
    expect(problems).to.deep.equal([])
    await context.close()
  })

  for (const text of HEAVY) {
    it(`are shown, and leave the page usable, where they are ${text.length} characters of ${text.slice(0, 10)}`, async () => {
      const { page, context } = await scene.open('/agents/instant')
      await answered(page, text)
      await page.getByRole('button', { name: 'Formatted' }).click()
      await page.getByRole('button', { name: 'Text', exact: true }).click()
      await page.locator('.chat-theirs').getByText(text.slice(0, 1_000).trim()).waitFor()
      await context.close()
    })
  }
})
