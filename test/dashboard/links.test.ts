import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { openPage, startBrowser } from './browser.ts'

const ZONE = 'Asia/Kathmandu'
/** Both sides of the night in which clocks in Europe went forward. */
const SPRING = ['2026-03-29T00:59:59.500Z', '2026-03-29T01:00:00.500Z'] as const

describe('What the dashboard shows', function () {
  this.timeout(240_000)
  let service: TestService
  let browser: Browser
  const ids = { prompt: '', failed: '' }

  before(async function () {
    browser = await startBrowser(this)
    service = await startTestService()
    const submit = async (prompt_name: string, inputs: object): Promise<string> => {
      const { body } = await service.request('POST', '/api/prompts', { prompt_name, inputs })
      return body.prompt_id as string
    }
    ids.prompt = await submit('many-tools', { steps: 3, calls: 2 })
    ids.failed = await submit('failing', {})
    await untilEnded(service, ids.prompt)
    await untilEnded(service, ids.failed)
    const canceled = await submit('gated', { gate: 'never' })
    await service.request('POST', `/api/prompts/${canceled}/cancel`)
    await submit('gated', { gate: 'never either' })
    const tasks = Array.from({ length: 12 }, (_, index) => ({ gate: 'open', value: index, fail: index % 4 === 0 }))
    await service.open('open')
    await service.request('POST', '/api/agents/gated/batch', { tasks, batch_id: 'twelve', wait: true })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** What a page says, without what changes by itself from one second to the next. */
  const said = async (page: Page): Promise<string> =>
    (await page.locator('main').ariaSnapshot()).replaceAll(
      /just now|\d+ (ms|s|min)\b( \d+ s)?( ago)?|[\d.,]+ (events\/s|since)/g,
      '…',
    )

  const states: [name: string, path: () => string, act?: (page: Page) => Promise<unknown>][] = [
    ['a filter', () => '/executions?status=failed&agent=failing'],
    ['a window of the overview', () => '/?minutes=360'],
    ['a tab', () => `/executions/${ids.prompt}?tab=data`],
    ['a filtered timeline', () => `/executions/${ids.prompt}?find=add&path=true`],
    ['failures only', () => `/executions/${ids.failed}?errors=true`],
    ['the tasks in a state', () => '/batches/twelve?state=failed'],
    ['a comparison', () => `/compare?a=${ids.prompt}&b=${ids.failed}`],
    ['inputs to be changed', () => `/playground?from=${ids.prompt}`],
    ['the tasks of a batch', () => '/batches/twelve', (page) => page.getByRole('tab', { name: 'Tasks' }).click()],
    [
      'the tasks that a legend leads to',
      () => '/batches/twelve',
      (page) => page.getByRole('button', { name: 'failed', exact: true }).click(),
    ],
    [
      'a part of the time',
      () => `/executions/${ids.prompt}`,
      (page) => page.getByRole('button', { name: 'Zoom in' }).click(),
    ],
    ['a filter of live events', () => '/live', (page) => page.getByLabel('Filter events').fill('nobody')],
    [
      'what was run in the playground',
      () => '/playground?agent=instant',
      async (page) => {
        await page.getByLabel('query').fill('What did I ask?')
        await page.keyboard.press('Control+Enter')
        await page.locator('.run-line', { hasText: 'completed' }).waitFor()
      },
    ],
  ]
  for (const [name, path, act] of states) {
    it(`is at its address: ${name} is the same in another browser`, async () => {
      const one = await openPage(browser, service.api.url + path())
      await one.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
      await one.page.waitForLoadState('networkidle')
      await act?.(one.page)
      // What the page made of its address is what is sent to somebody else; it may take a moment for that.
      const other = await openPage(browser, one.page.url())
      await eventually(
        async () => {
          if (other.page.url() !== one.page.url()) await other.page.goto(one.page.url())
          return [await said(one.page), await said(other.page)]
        },
        ([first, second]) => first === second && (first?.length ?? 0) > 100,
      )
      await one.context.close()
      await other.context.close()
    })
  }

  it('tells each status by a word and a shape of its own, to those too who see no color', async () => {
    const { page, context } = await openPage(browser, `${service.api.url}/executions?kind=prompt`)
    // The word is a choice of the filter too, which is there before the rows.
    await page.locator('.row .status').getByText('running').first().waitFor()
    const shapes = await page
      .locator('.row .status')
      .evaluateAll((all) =>
        all.map((each) => [
          each.textContent?.trim(),
          each.getAttribute('data-status'),
          each.querySelector('svg')?.innerHTML,
        ]),
      )
    const drawn = new Map(shapes.map(([word, shape, picture]) => [word, `${shape} ${picture}`]))
    expect([...drawn.keys()]).to.have.members(['running', 'completed', 'failed', 'canceled'])
    expect(new Set(drawn.values()).size).to.equal(4)
    const cdp = await context.newCDPSession(page)
    for (const type of ['deuteranopia', 'protanopia', 'achromatopsia'] as const) {
      await cdp.send('Emulation.setEmulatedVisionDeficiency', { type })
      for (const word of drawn.keys())
        expect(
          await page
            .locator('.row .status')
            .getByText(word ?? '')
            .first()
            .isVisible(),
        ).to.equal(true)
    }
    await context.close()
  })

  it('gives every moment in the zone that was chosen, by one formatter', async () => {
    for (const [utc, timezoneId] of [
      [false, ZONE],
      [true, ZONE],
    ] as const) {
      const { page, context } = await openPage(browser, `${service.api.url}/executions/${ids.prompt}`, { timezoneId })
      if (utc) {
        await page.getByLabel('Settings').click()
        await page.getByLabel('Times in').selectOption('utc')
      }
      const moments = page.locator('time.number')
      await moments.first().waitFor()
      for (const moment of await moments.all()) {
        const iso = (await moment.getAttribute('datetime')) ?? ''
        expect(await moment.innerText()).to.equal(shownIn(iso, utc ? 'UTC' : ZONE, utc))
      }
      await context.close()
    }
  })

  it('is right in the night in which clocks change', async () => {
    for (const [index, at] of SPRING.entries()) {
      const { page, context } = await openPage(browser, service.api.url, { timezoneId: 'Europe/Berlin' })
      await service.store.executions.updateOne({ _id: ids.failed }, { $set: { created_at: new Date(at) } })
      await page.goto(`${service.api.url}/executions/${ids.failed}`)
      const hour = index === 0 ? '01:59:59.500' : '03:00:00.500'
      await page.getByText(`2026-03-29 ${hour}`).waitFor()
      await context.close()
    }
  })
})

/** As the dashboard should show it, made in another way. */
function shownIn(iso: string, timeZone: string, utc: boolean): string {
  const text = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(
    new Date(iso),
  )
  return `${text}.${iso.slice(20, 23)}${utc ? 'Z' : ''}`
}
