import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { startTestService, untilEnded, type TestService } from '../support/service.ts'
import { openPage, startBrowser } from './browser.ts'

/** Where the pictures go: the documents' own with UPDATE_PICTURES=true, else a folder that is not kept. */
const FOLDER = join(
  import.meta.dirname,
  '../..',
  process.env.UPDATE_PICTURES === 'true' ? 'docs/images' : 'dist/pictures',
)

describe('The pictures of the documents', function () {
  this.timeout(180_000)
  let service: TestService
  let browser: Browser
  let prompt = ''

  before(async function () {
    browser = await startBrowser(this)
    service = await startTestService({ agentsDir: 'agents/', env: { PRICES_FILE: 'dev/demo/prices.json' } })
    await mkdir(FOLDER, { recursive: true })
    const text = 'Durable execution keeps a program alive. A crash costs a step, never the run. Nothing is done twice.'
    const agents = ['researcher', 'analyst', 'writer']
    const body = { prompt_name: 'researcher', mode: 'sequential', agents, inputs: { text } }
    for (let count = 0; count < 5; count += 1) await service.request('POST', '/api/prompts', body)
    const reviews = Array.from({ length: 1_200 }, (_, index) =>
      index % 43 === 0
        ? { title: `review ${index}` }
        : { text: `Review ${index}: a pleasure, nothing to complain about.` },
    )
    await service.request('POST', '/api/agents/sentiment/batch', { tasks: reviews, batch_id: 'reviews', wait: true })
    const delegated = { prompt_name: 'coordinator', inputs: { query: text } }
    const { body: submitted } = await service.request('POST', '/api/prompts', delegated)
    prompt = submitted.prompt_id as string
    await untilEnded(service, prompt)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const openMenu = (page: Page) => page.getByText('Download', { exact: true }).click()
  async function chooseFile(page: Page): Promise<void> {
    const lines = [
      'stars,text',
      '5,A pleasure.',
      '2,"Late, and the box was open."',
      '4,Would buy it again.',
      'n/a,Fine.',
    ]
    const buffer = Buffer.from(lines.join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'more.csv', mimeType: 'text/csv', buffer })
    await page.getByText(/ tasks from more\.csv/).waitFor()
    await page.getByLabel('Type of stars').selectOption('number')
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('sentiment')
  }

  type Picture = [name: string, path: () => string, text: string, act?: (page: Page) => Promise<void>]
  const pictures: Picture[] = [
    ['overview', () => '/?minutes=15', 'Latest failures'],
    ['execution', () => `/executions/${prompt}`, 'coordinator'],
    ['download', () => `/executions/${prompt}?tab=data`, 'coordinator', openMenu],
    ['batch', () => '/batches/reviews', 'inputs.text is missing'],
    ['add-tasks', () => '/batches/new?to=reviews', 'reviews', chooseFile],
  ]
  for (const [name, path, text, act] of pictures) {
    it(`show ${name}`, async () => {
      const { page, context, problems } = await openPage(browser, service.api.url + path())
      await page.locator('main').getByText(text).first().waitFor()
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
      await page.locator('.pill[data-connection=open]').waitFor()
      await act?.(page)
      const picture = await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' })
      expect(picture.length).to.be.above(20_000)
      expect(problems).to.deep.equal([])
      await context.close()
    })
  }
})
