import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { axeProblems, openPage, startBrowser } from './browser.ts'

describe('Limits and cool-downs in the dashboard', function () {
  this.timeout(120_000)
  let service: TestService
  let provider: ProviderServer
  let browser: Browser

  before(async function () {
    browser = await startBrowser(this)
    const refusal = { status: 429, headers: { 'retry-after': '600' }, message: 'Rate limit reached.' }
    provider = await startProviderServer(() => refusal)
    const LIMITS = JSON.stringify({ 'openai-compatible': { rpm: 1_200, concurrent: 4 }, anthropic: { tpm: 30_000 } })
    service = await startTestService({ env: { LIMITS, OPENAI_COMPATIBLE_BASE_URL: provider.url } })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await provider?.close()
  })

  it('show the limits of an account, the end and reason of its cool-down, and its waiting calls', async () => {
    const ids: string[] = []
    for (let count = 0; count < 2; count += 1) {
      const body = { prompt_name: 'provider', inputs: { query: 'q' } }
      ids.push((await service.request('POST', '/api/prompts', body)).body.prompt_id as string)
    }
    const told = async () => {
      const { accounts } = (await service.request('GET', '/api/limits')).body
      return accounts.find(({ account }: { account: string }) => account === 'openai-compatible')
    }
    const cooledUntil = async (): Promise<string | undefined> => (await told())?.cooldown?.until
    await eventually(cooledUntil, (until) => until !== undefined)
    const { page, context, problems } = await openPage(browser, `${service.api.url}/limits`)
    const row = page.locator('[data-account=openai-compatible]')
    await row.getByText('its rate limit is reached').waitFor()
    const text = await row.innerText()
    expect(text)
      .to.include('1,200')
      .and.match(/\d of [\d ()]*4/)
      .and.match(/(9|10) min( \d+ s)? left/)
    // The second refusal may make it later.
    await eventually(
      async () => [await row.locator('time').getAttribute('datetime'), await cooledUntil()],
      ([shown, until]) => shown === until,
    )
    expect(await page.locator('[data-account=anthropic]').innerText()).to.match(/open.*30,000/s)
    expect(await axeProblems(page)).to.deep.equal([])
    await page.goto(service.api.url)
    const note = page.getByRole('list', { name: 'Accounts that cool down' })
    await note.getByText('openai-compatible').click()
    await page.waitForURL('**/limits')
    // They have left their worker by now, or will: they wait all the same.
    await eventually(
      () => service.store.open.countDocuments({ waits_for: 'openai-compatible' }),
      (count) => count === 2,
      60_000,
    )
    await row.getByText('2 prompts').waitFor()
    // One that has left its worker is counted there, too, until the worker says so.
    const { waiting } = await eventually(told, (account) => account.waiting.prompt === 2)
    expect(waiting).to.deep.equal({ chat: 0, prompt: 2, task: 0 })
    for (const id of ids) await service.request('POST', `/api/prompts/${id}/cancel`)
    await eventually(told, ({ waiting }) => waiting.prompt === 0)
    expect(problems).to.deep.equal([])
    await context.close()
  })
})
