import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { costText } from '../../client/index.ts'
import { startMoneyScene, type MoneyScene } from '../money/scene.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { axeProblems, openPage, startBrowser } from './browser.ts'

describe('Costs, budgets and failures of structure in the dashboard', function () {
  this.timeout(180_000)
  let scene: MoneyScene
  let browser: Browser
  let folder: string

  before(async function () {
    browser = await startBrowser(this)
    folder = await mkdtemp(join(tmpdir(), 'troupe-money-'))
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, cached_tokens: 400 }
    scene = await startMoneyScene(() => ({ text: '{"stars": "many"}', usage }), folder)
  })
  after(async () => {
    await browser?.close()
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const run = async (prompt_name: string, more: object = {}) => {
    const { body } = await scene.request('POST', '/api/prompts', { prompt_name, inputs: { query: 'q' }, ...more })
    return (await untilEnded(scene, body.prompt_id as string)).body
  }

  it('stand beside the tokens of an execution, by model and in all, with what is left of its budget', async () => {
    const prompt = await run('buyer', { budget: { tokens: 40_000, modelCalls: 4 } })
    const { page, context, problems } = await openPage(
      browser,
      `${scene.api.url}/executions/${prompt.prompt_id}?tab=tokens`,
    )
    await page.locator(`.facts [data-usd="${prompt.cost.usd}"]`).waitFor()
    const cost = costText(prompt.cost)
    const table = page.getByRole('region', { name: 'Tokens and cost by model' })
    expect(await table.getByRole('row', { name: /gpt-5-mini/ }).innerText()).to.include(cost)
    expect(await table.getByRole('row', { name: /^All/ }).innerText()).to.include(cost)
    await page.locator('.facts').getByText('1,000 in (400 cached), 100 out').waitFor()
    const agents = page.getByRole('region', { name: 'Tokens by agent' })
    expect((await agents.getByRole('row', { name: /^buyer/ }).innerText()).split(/\s+/)).to.deep.equal([
      ...['buyer', '1', '1,000', '100', '1,100'],
    ])
    await page.getByRole('progressbar', { name: '1,100 of 40,000 tokens' }).waitFor()
    await page.getByRole('progressbar', { name: '1 of 4 model calls' }).waitFor()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('row', { name: /gpt-5-mini/ }).click()
    await page.getByRole('dialog').getByText(cost, { exact: true }).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('are given to a run of the playground and to a batch, with no answer from the cache; an admin forgets those', async () => {
    await run('frugal')
    const { page, context, problems } = await openPage(browser, `${scene.api.url}/playground?agent=frugal`)
    await page.getByText('Budget and cache').click()
    await page.getByLabel('Model calls').fill('3')
    await page.getByLabel('US dollars').fill('0.5')
    await page.getByLabel('Seconds of work').fill('90.5')
    await page.getByLabel('Warn at, in %').fill('60')
    await page.getByLabel('When it is used up').selectOption('answer')
    await page.getByLabel(/Make every call anew/).check()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Run (Ctrl+Enter)' }).click()
    await page.getByText(/budget \$.* of \$0\.50.*1 of 3 model calls/).waitFor()
    const { searchParams } = new URL(page.url())
    const { body: prompt } = await scene.request('GET', `/api/prompts/${searchParams.get('run')}`)
    expect(prompt.budget.limits).to.include({ usd: 0.5, modelCalls: 3, ms: 90_500, tokens: null })
    expect(prompt.budget).to.include({ warnAt: 0.6, onExceeded: 'answer' })
    expect(prompt.token_usage.by_model[0].calls, 'it was asked anew').to.equal(1)

    await page.goto(`${scene.api.url}/batches/new`)
    await page.getByText('Or paste it').click()
    await page.getByRole('textbox', { name: 'CSV or JSONL' }).fill('{"query":"q"}\n{"query":"q"}\n')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByLabel('Agent').selectOption('frugal')
    await page.getByText('Budget and cache').click()
    await page.getByRole('group', { name: 'All tasks together' }).getByLabel('Tokens').fill('90000')
    await page.getByRole('group', { name: 'Each task' }).getByLabel('Model calls').fill('2')
    await page.getByRole('button', { name: /Submit 2 tasks/ }).click()
    await page.waitForURL(/\/batches\/pasted/)
    const { body: batch } = await scene.request('GET', `/api${new URL(page.url()).pathname}`)
    expect(batch.budget.limits).to.include({ tokens: 90_000 })
    expect(batch.budgets).to.deep.equal({ budget: { tokens: 90_000 }, task_budget: { modelCalls: 2 } })

    await page.goto(`${page.url().split('?')[0]}`)
    await page.getByRole('link', { name: 'Add tasks' }).click()
    await page.getByText('Or paste it').click()
    await page.getByRole('textbox', { name: 'CSV or JSONL' }).fill('{"query":"another"}\n')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByText('Budget and cache').click()
    await page.getByRole('group', { name: 'Each task' }).getByLabel('Tool calls').fill('7')
    await page.getByRole('button', { name: /Submit 1 tasks? to frugal/ }).click()
    await page.waitForURL(/\/batches\/pasted[^/]*$/)
    const { body: grown } = await scene.request('GET', `/api${new URL(page.url()).pathname}`)
    const { body: added } = await scene.request('GET', `/api/jobs/${grown.task_ids[2]}`)
    expect(added.budget.limits).to.include({ toolCalls: 7, modelCalls: null })

    // An answer that comes later is kept anew.
    await eventually(
      () => scene.request('GET', `/api/batches/${grown.batch_id}?results=false`),
      ({ body }) => body.status === 'completed',
    )
    await page.goto(`${scene.api.url}/agents/frugal`)
    await page.getByRole('button', { name: 'Clear cache' }).click()
    await page.getByRole('button', { name: 'Forget them' }).click()
    await page.getByText(/\d kept answers are forgotten/).waitFor()
    expect(await scene.store.cache.countDocuments({ agent: 'frugal' })).to.equal(0)
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('of a batch hold again for what failed of it and runs again', async () => {
    const tasks = [{ query: 'a' }, { query: 'b' }]
    const limits = { budget: { modelCalls: 9, onExceeded: 'answer' }, task_budget: { tokens: 10 } }
    await scene.request('POST', '/api/agents/buyer/batch', { tasks, batch_id: 'too-dear', wait: true, ...limits })
    const { page, context, problems } = await openPage(browser, `${scene.api.url}/batches/too-dear`)
    await page.getByRole('button', { name: /Run all 2 again/ }).click()
    await page.waitForURL('**/batches/too-dear.retry-*')
    const { body: again } = await scene.request('GET', `/api${new URL(page.url()).pathname}`)
    expect(again.budget).to.include({ onExceeded: 'answer', warnAt: 0.8 })
    expect(again.budget.limits).to.include({ modelCalls: 9 })
    expect(again.budgets).to.deep.equal(limits)
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('that nobody knows are called unknown: on the execution, the batch, and as a part of the overview', async () => {
    const prompt = await run('local')
    const batch = { tasks: [{ query: 'q' }], batch_id: 'unpriced', wait: true }
    await scene.request('POST', '/api/agents/local/batch', batch)
    const { page, context } = await openPage(browser, `${scene.api.url}/executions/${prompt.prompt_id}`)
    const fact = page.locator('.facts > div', { hasText: 'Cost' })
    await fact.getByText('unknown').waitFor()
    await page.goto(`${scene.api.url}/batches/unpriced`)
    await page.locator('.figure', { hasText: 'Cost' }).getByText('unknown').waitFor()
    await run('buyer')
    const { body: series } = await scene.request('GET', '/api/metrics/series?minutes=60&step=1')
    await page.goto(scene.api.url)
    const figure = page.locator('.figure', { hasText: 'Cost, 1 h' })
    await figure.locator(`[data-usd="${series.total.cost.usd}"]`).waitFor()
    expect(await figure.innerText()).to.include('at least $')
    await page
      .getByRole('region', { name: 'Tokens and cost by model' })
      .getByRole('row', { name: /llama3.*unknown/ })
      .waitFor()
    await context.close()
  })

  it('of a service that says nothing of them are unknown, and break no page', async () => {
    const prompt = await run('buyer')
    const { page, context, problems } = await openPage(browser, 'about:blank')
    await page.route(`**/api/jobs/${prompt.prompt_id}`, async (route) => {
      const response = await route.fetch()
      const { cost: _cost, budget: _budget, ...job } = await response.json()
      await route.fulfill({ response, json: job })
    })
    await page.goto(`${scene.api.url}/executions/${prompt.prompt_id}?tab=tokens`)
    await page.locator('.facts > div', { hasText: 'Cost' }).getByText('unknown').waitFor()
    await page.getByRole('row', { name: /gpt-5-mini.*unknown/ }).waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('an answer that does not fit is shown as it was written, with the sentence and the event', async () => {
    const prompt = await run('judge')
    expect(prompt.outputs.raw).to.equal('{"stars": "many"}')
    const { page, context } = await openPage(browser, `${scene.api.url}/executions/${prompt.prompt_id}`)
    const failure = page.locator('[data-failure=invalid_output]')
    await failure.getByText(prompt.error).waitFor()
    expect(await failure.getByLabel('What the model wrote').innerText()).to.equal('{"stars": "many"}')
    expect(await axeProblems(page)).to.deep.equal([])
    await failure.getByRole('button', { name: /^judge, event \d+$/ }).click()
    await page.getByRole('dialog').getByText('invalid_output').waitFor()
    await context.close()
  })

  it('a budget that was exceeded says how, and keeps what there was', async () => {
    const prompt = await run('buyer', { budget: { tokens: 10 } })
    const { page, context } = await openPage(browser, `${scene.api.url}/executions/${prompt.prompt_id}`)
    await page.locator('[data-error]', { hasText: 'The budget of 10 tokens does not allow another call' }).waitFor()
    await page.locator('.facts > div', { hasText: 'Budget' }).getByText('0 of 10 tokens').waitFor()
    await context.close()
  })
})
