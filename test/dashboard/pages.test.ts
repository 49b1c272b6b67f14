import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { startTestService, untilEnded, type TestService } from '../support/service.ts'
import { axeProblems, openPage, startBrowser } from './browser.ts'

describe('The pages of the dashboard', function () {
  this.timeout(180_000)
  let service: TestService
  let browser: Browser
  const ids = { prompt: '', failed: '' }

  before(async function () {
    browser = await startBrowser(this)
    service = await startTestService()
    const submit = async (prompt_name: string, inputs: object): Promise<string> => {
      const { body } = await service.request('POST', '/api/prompts', { prompt_name, inputs })
      await untilEnded(service, body.prompt_id as string)
      return body.prompt_id as string
    }
    ids.prompt = await submit('many-tools', { steps: 2, calls: 2 })
    ids.failed = await submit('failing', {})
    const tasks = Array.from({ length: 40 }, (_, index) => ({ gate: 'open', value: index, fail: index % 10 === 0 }))
    await service.open('open')
    await service.request('POST', '/api/agents/gated/batch', { tasks, batch_id: 'forty', wait: true })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Each page with a text that stands on it once it is whole. */
  const pages: [name: string, path: () => string, text: string][] = [
    ['overview', () => '/', 'Ever submitted'],
    ['executions', () => '/executions', 'in all'],
    ['executions, none that fit', () => '/executions?agent=nobody', 'Without agent:nobody'],
    ['execution', () => `/executions/${ids.prompt}`, '9 events'],
    ['execution that failed', () => `/executions/${ids.failed}`, 'failed'],
    ['execution, its data', () => `/executions/${ids.prompt}?tab=data`, 'Output'],
    ['execution, its tokens', () => `/executions/${ids.prompt}?tab=tokens`, 'scripted'],
    ['unknown execution', () => '/executions/nothing', 'There is no execution'],
    ['batches', () => '/batches', 'forty'],
    ['batch', () => '/batches/forty', 'the gate opened and it failed'],
    ['batch, its failed tasks', () => '/batches/forty?state=failed', '#'],
    ['new batch', () => '/batches/new', 'Drop a CSV or JSONL file here'],
    ['agents', () => '/agents', 'many-tools'],
    ['agent', () => '/agents/many-tools', 'Adds one.'],
    ['playground', () => '/playground', 'Run (Ctrl+Enter)'],
    ['live events', () => '/live', 'Live events'],
    ['containers', () => '/containers', 'Containers'],
    ['keys and deletion', () => '/service', 'kept until somebody deletes them'],
    ['limits of providers', () => '/limits', 'No account is limited'],
    ['execution, its critical path', () => `/executions/${ids.prompt}?path=true`, 'Critical path ('],
    ['comparison', () => `/compare?a=${ids.prompt}&b=${ids.failed}`, 'The first difference'],
    ['unknown agent', () => '/agents/nobody', 'There is no agent'],
    ['unknown batch', () => '/batches/nobody', 'There is no batch'],
  ]
  const looks = [
    { theme: 'light', width: 1440 },
    { theme: 'dark', width: 390 },
  ] as const
  for (const [name, path, text] of pages) {
    it(`${name}: complete, light and wide, dark and narrow, nothing for axe to find, nothing from elsewhere`, async () => {
      for (const { theme, width } of looks) {
        const options = { colorScheme: theme, viewport: { width, height: 844 }, reducedMotion: 'reduce' } as const
        const { page, context, problems, addresses } = await openPage(browser, service.api.url + path(), options)
        await page.locator('main').getByText(text).first().waitFor()
        const look = `${theme}, ${width} px`
        expect(await axeProblems(page), look).to.deep.equal([])
        expect(problems, look).to.deep.equal([])
        const foreign = addresses.filter((address) => new URL(address).host !== new URL(service.api.url).host)
        expect(foreign, look).to.deep.equal([])
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect(wide, `${look}: wider than the window`).to.be.at.most(0)
        await context.close()
      }
    })
  }

  it('are told from unknown paths, which stay 404 in JSON', async () => {
    const { status, body } = await service.request('GET', '/executions/a/b')
    expect(status).to.equal(404)
    expect(body.detail).to.be.a('string')
  })

  it('have a first run explained where nothing has run', async function () {
    const fresh = await startTestService()
    try {
      const { page, context } = await openPage(browser, fresh.api.url)
      await page.getByText('Nothing has run yet').waitFor()
      expect(await axeProblems(page)).to.deep.equal([])
      await context.close()
    } finally {
      await fresh.stop()
    }
  })

  it('show what failed in the words of the service, and recover by themselves', async () => {
    const { page, context } = await openPage(browser, 'about:blank')
    let away = true
    await page.route('**/api/jobs?**', (route) =>
      away
        ? route.fulfill({ status: 503, json: { detail: 'The database cannot be reached; try again.' } })
        : route.continue(),
    )
    await page.goto(`${service.api.url}/executions`)
    await page.getByText('The database cannot be reached').waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    away = false
    await page.getByText('in all').waitFor()
    expect(await page.getByRole('grid', { name: 'Executions' }).getByRole('link').count()).to.be.above(0)
    await context.close()
  })

  it('look like something while they load', async () => {
    const { page, context } = await openPage(browser, 'about:blank')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/batches?**', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${service.api.url}/batches`)
    await page.getByRole('status', { name: 'Loading' }).first().waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    held.resolve()
    await page.getByRole('link', { name: 'forty' }).waitFor()
    await context.close()
  })
})
