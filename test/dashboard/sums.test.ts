import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, Locator, Page } from 'playwright-core'
import { costText } from '../../client/index.ts'
import { Random } from '../chaos/random.ts'
import { startMoneyScene, type MoneyScene } from '../money/scene.ts'
import type { ScriptedAnswer } from '../support/provider-server.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { openPage, startBrowser } from './browser.ts'

const CASES = 20
const AGENTS = ['buyer', 'spender', 'frugal', 'local', 'judge']

interface Usage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

describe('The sums of the dashboard', function () {
  this.timeout(300_000)
  const seed = randomInt(2 ** 31)
  const random = new Random(seed, 'sums')
  let scene: MoneyScene
  let browser: Browser
  let proxy: Proxy
  let folder: string

  before(async function () {
    browser = await startBrowser(this)
    folder = await mkdtemp(join(tmpdir(), 'troupe-sums-'))
    scene = await startMoneyScene(answer, folder)
    proxy = await startProxy(scene.api.port)
  })
  after(async () => {
    await browser?.close()
    await proxy?.close()
    await scene?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it(`are the service’s in ${CASES} random cases, however often connections are cut (seed ${seed})`, async () => {
    const { page, context, problems } = await openPage(browser, address('/'))
    const overview = await openPage(browser, address('/'))
    for (let index = 0; index < CASES; index += 1) {
      const kind = random.pick(['prompt', 'chain', 'batch', 'chat'])
      const path = kind === 'batch' ? await submitBatch() : await submitRun(kind)
      await page.goto(address(path))
      await page.locator('.page-title .status').waitFor()
      if (random.chance(0.5)) await cutOnce(page)
      if (random.chance(0.2)) await scene.request('POST', `/api${path.replace('executions', 'jobs')}/cancel`)
      await (kind === 'batch' ? expectBatch(page, path) : expectRun(page, path))
    }
    await expectOverview(overview.page)
    // Each try that the browser makes in vain is a line in its console.
    const unexpected = [...problems, ...overview.problems].filter((line) => !line.startsWith('WebSocket connection to'))
    expect(unexpected).to.deep.equal([])
    await overview.context.close()
    await context.close()
  })

  /** Some more tools, an answer, or a refusal; each with tokens of its own. */
  function answer(): ScriptedAnswer {
    if (random.chance(0.08)) return { status: 400, message: 'refused at random' }
    const [prompt_tokens, completion_tokens] = [random.between(1, 9_000), random.between(1, 3_000)]
    const usage = { prompt_tokens, completion_tokens, cached_tokens: random.between(0, prompt_tokens) }
    const text = { text: '{"stars": 3}', usage, firstTokenMs: random.between(0, 300) }
    if (random.chance(0.7)) return text
    return { toolCalls: [{ name: 'double', arguments: { n: random.between(1, 9) } }], usage }
  }

  const address = (path: string) => `http://127.0.0.1:${proxy.port}${path}`
  const inputs = () => ({ query: String(random.next()) })

  async function submitRun(kind: string): Promise<string> {
    const agent = random.pick(AGENTS)
    if (kind === 'chat') {
      const message = { message: String(random.next()), wait: false }
      const { body } = await scene.request('POST', `/api/agents/${agent}/chat`, message)
      return `/executions/${body.task_id}`
    }
    const agents = kind === 'chain' ? Array.from({ length: random.between(2, 3) }, () => random.pick(AGENTS)) : [agent]
    const mode = agents.length > 1 ? { mode: 'sequential', agents } : {}
    const { body } = await scene.request('POST', '/api/prompts', { prompt_name: agent, inputs: inputs(), ...mode })
    return `/executions/${body.prompt_id}`
  }

  async function submitBatch(): Promise<string> {
    const tasks = Array.from({ length: random.between(1, 12) }, inputs)
    const { body } = await scene.request('POST', `/api/agents/${random.pick(AGENTS)}/batch`, { tasks })
    return `/batches/${body.batch_id}`
  }

  async function cutOnce(page: Page): Promise<void> {
    await page.locator('.pill[data-connection=open]').waitFor()
    proxy.cut()
    await page.locator('.pill[data-connection=disconnected]').waitFor()
    proxy.mend()
  }

  /** The numbers of a row, or of a figure. */
  const numbersIn = (text: string) =>
    [...text.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')))

  const untilNumbers = (place: Locator, wanted: number[]) =>
    eventually(
      async () => numbersIn((await place.innerText()).split('$')[0] ?? ''),
      (shown) => JSON.stringify(shown) === JSON.stringify(wanted),
    )

  const parts = (usage: Usage) => [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens]

  async function expectTable(page: Page, usage: Usage & { by_model: unknown[] }, cost: object): Promise<void> {
    if (usage.by_model.length === 0) return void (await page.getByText('No model was called.').waitFor())
    const all = page.getByRole('region', { name: 'Tokens and cost by model' }).getByRole('row', { name: /^All/ })
    await untilNumbers(all, parts(usage))
    // That a cost is not whole may be known later than its numbers: a page that has it asks again after some seconds.
    await eventually(
      () => all.innerText(),
      (text) => text.includes(costText(cost as never)),
    )
  }

  async function expectRun(page: Page, path: string): Promise<void> {
    const id = path.split('/').at(-1) as string
    await untilEnded(scene, id)
    const { body: job } = await scene.request('GET', `/api/jobs/${id}`)
    const { body: events } = await scene.request('GET', `/api/traces?job_id=${id}&limit=1000`)
    await page.locator(`.timeline[data-events="${events.traces.length}"]`).waitFor()
    await page.locator(`.facts [data-tokens="${job.token_usage.total_tokens}"]`).waitFor()
    await page.getByRole('tab', { name: 'Tokens and cost' }).click()
    await expectTable(page, job.token_usage, job.cost)
    const agents = page.getByRole('region', { name: 'Tokens by agent' }).locator('tbody tr')
    const shown = (await agents.allInnerTexts()).map((text) => numbersIn(text.replace(/^\S+/, '')))
    const sums = [1, 2, 3].map((column) => shown.reduce((sum, row) => sum + (row[column] ?? 0), 0))
    expect(sums, 'by agent').to.deep.equal(parts(job.token_usage))
    await page.goto(address(`/executions?id_prefix=${id}`))
    const listed = page.locator(`#job-${id} .cell-tokens`)
    await untilNumbers(listed, job.token_usage.total_tokens === 0 ? [] : [job.token_usage.total_tokens])
  }

  async function expectBatch(page: Page, path: string): Promise<void> {
    const grid = () => scene.request('GET', `/api${path}/grid`, undefined, { accept: 'application/json' })
    const { body } = await eventually(grid, ({ body: { completed_at } }) => completed_at !== null, 60_000)
    const figure = (label: string) => page.locator('.figure', { hasText: label }).locator('.figure-value')
    const { total_expected, recorded, succeeded, failed } = body.summary
    await untilNumbers(figure('Ended'), [recorded, total_expected])
    await untilNumbers(figure('Succeeded'), [succeeded])
    await untilNumbers(figure('Failed'), [failed - body.canceled])
    if (body.canceled > 0) await untilNumbers(figure('Canceled'), [body.canceled])
    await page.getByRole('tab', { name: 'Tokens and cost' }).click()
    await expectTable(page, body.token_usage, body.cost)
  }

  async function expectOverview(page: Page): Promise<void> {
    const { body: metrics } = await scene.request('GET', '/api/metrics')
    const { body: series } = await scene.request('GET', '/api/metrics/series?minutes=60&step=1')
    const figure = (label: string) => page.locator('.figure', { hasText: label }).locator('.figure-value')
    await page.locator(`[data-total-jobs="${metrics.total_jobs}"]`).waitFor()
    await untilNumbers(figure('Completed, 1 h'), [series.total.completed])
    await untilNumbers(figure('Failed, 1 h'), [series.total.failed])
    const tokens = series.total.tokens as Usage[]
    await untilNumbers(figure('Tokens, 1 h'), [tokens.reduce((sum, { total_tokens }) => sum + total_tokens, 0)])
    await page.locator(`[data-usd="${series.total.cost.usd}"]`).waitFor()
    const legend = (name: string) => page.locator('.chart-key', { hasText: name }).locator('.number').first()
    for (const name of ['completed', 'failed', 'canceled']) await untilNumbers(legend(name), [series.total[name]])
    for (const { provider, model, total_tokens } of series.total.tokens)
      await untilNumbers(legend(`${provider}/${model}`), [total_tokens])
  }
})
