import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { startEngine, type TestEngine } from '../support/docker.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { axeProblems, openPage, startBrowser } from './browser.ts'
import { dashboardScene } from './scene.ts'

describe('The live page', function () {
  this.timeout(180_000)
  const scene = dashboardScene()

  it('shows the rate of events, grouped by execution', async () => {
    const { page, context, problems } = await scene.open('/live')
    await page.locator('.pill[data-connection=open]').waitFor()
    const ids: string[] = []
    for (const agent of ['many-tools', 'failing']) {
      const inputs = { steps: 3, calls: 4 }
      const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: agent, inputs })
      ids.push(body.prompt_id as string)
      await untilEnded(scene.service, body.prompt_id as string)
    }
    const rate = page.locator('[data-rate]')
    await eventually(
      () => rate.getAttribute('data-rate'),
      (value) => Number(value) > 0,
    )
    expect(await rate.innerText()).to.match(/^[\d.,]+ events\/s$/)
    await page.getByLabel('By execution').check()
    const rows = page.getByRole('table', { name: 'Executions with events' }).getByRole('row')
    await rows.filter({ hasText: 'failing' }).filter({ hasText: '1 failed' }).waitFor()
    const { body } = await scene.service.request('GET', `/api/traces?job_id=${ids[0]}&limit=1000`)
    await rows
      .filter({ hasText: 'many-tools' })
      .filter({ hasText: `${body.traces.length} events` })
      .waitFor()
    expect(await rows.count()).to.equal(2)
    expect(await rows.first().innerText(), 'what was heard of last is first').to.include('failing')
    expect(await axeProblems(page)).to.deep.equal([])
    expect(new URL(page.url()).searchParams.get('group')).to.equal('true')
    await page.getByLabel('Filter events').fill('many')
    await eventually(
      () => rows.count(),
      (count) => count === 1,
    )
    await rows.getByRole('link').click()
    await page.waitForURL(`**/executions/${ids[0]}?span=*`)
    expect(problems).to.deep.equal([])
    await context.close()
  })
})

describe('Logs of containers', function () {
  this.timeout(300_000)
  let engine: TestEngine
  let service: TestService
  let browser: Browser

  const counting = (name: string): string =>
    `i=0; while [ $i -lt 20 ]; do echo ${name} $i; i=$((i+1)); sleep 0.05; done; exec sleep 600`
  const red = String.raw`printf '\033[31mred\033[0m <img src=x onerror=alert(1)>\n'; `

  before(async function () {
    engine = await startEngine(this)
    browser = await startBrowser(this)
    service = await startTestService({ env: { DOCKER_HOST: engine.address } })
    await Promise.all([
      engine.run({ name: 'site-a', script: red + counting('a') }),
      engine.run({ name: 'site-b', script: counting('b') }),
    ])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await engine?.stop()
  })

  const shown = (page: Page): Promise<string[]> => page.locator('.log-line').allInnerTexts()
  const saved = async (page: Page, press: () => Promise<void>): Promise<string[]> => {
    const [download] = await Promise.all([page.waitForEvent('download'), press()])
    return (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  }

  it('are read together in the order of their times, in their colors, filtered, wrapped and saved', async () => {
    const { page, context, problems } = await openPage(browser, `${service.api.url}/containers`)
    await page.getByRole('link', { name: 'site-a' }).click()
    await page.getByText('a 19').waitFor()
    const log = page.getByRole('log', { name: 'Lines' })
    expect(await log.locator('.ansi-1').innerText()).to.equal('red')
    await log.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await log.locator('img').count()).to.equal(0)

    await page.getByText('With others').click()
    await page.getByRole('checkbox', { name: 'site-b' }).check()
    await page.getByRole('heading', { name: 'site-a + site-b' }).waitFor()
    await page.getByText('b 19').waitFor()
    await page.getByText('41 lines').waitFor()
    const times = (await shown(page)).map((line) => line.slice(0, 12))
    expect(times).to.deep.equal(times.toSorted())
    expect(await axeProblems(page)).to.deep.equal([])

    await page.getByLabel('Filter lines').fill('/[ab] 1[0-4]/')
    await page.getByText('10 lines').waitFor()
    expect(await log.locator('mark').allInnerTexts()).to.include.members(['a 10', 'b 14'])
    await page.getByLabel('Wrap').check()
    expect(await log.getAttribute('data-wrap')).to.equal('true')
    await page.getByText('Download', { exact: true }).click()
    const filtered = await saved(page, () => page.getByRole('button', { name: 'What is shown' }).click())
    expect(filtered).to.have.length(10)
    await page.getByText('Download', { exact: true }).click()
    await page.getByRole('button', { name: 'A period …' }).click()
    expect(await axeProblems(page)).to.deep.equal([])
    const period = page.getByRole('dialog', { name: 'Download a period' })
    const all = await saved(page, () => period.getByRole('button', { name: 'Download' }).click())
    expect(all).to.have.length(41)
    expect(all, 'each has its time and the name of its container').to.deep.equal(all.toSorted())
    expect(all.filter((line) => /^\S+Z site-b b \d+$/.test(line))).to.have.length(20)

    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByText('10 lines').waitFor()
    await other.getByLabel('From').selectOption('1 hour ago')
    expect(new URL(other.url()).searchParams.get('since')).to.equal('1h')
    await other.getByText('10 lines').waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('say when a container has ended, and go on when it runs again', async () => {
    const container = await engine.run({ name: 'site-c', script: 'echo begun; exec sleep 600' })
    const { page, context } = await openPage(browser, `${service.api.url}/containers/site-c`)
    await page.getByText('begun').waitFor()
    await container.kill()
    await page.getByText('site-c has ended.').waitFor()
    await container.start()
    await page.getByText('begun').nth(1).waitFor()
    expect((await shown(page)).map((line) => line.replace(/^[\d:.]+ /, '').trim())).to.deep.equal([
      'begun',
      'site-c has ended.',
      'begun',
    ])
    await context.close()
  })

  it('keep the scroll position while new lines arrive', async () => {
    const script = 'seq 1 400; i=0; while :; do echo more $i; i=$((i+1)); sleep 0.05; done'
    await engine.run({ name: 'site-d', script })
    const { page, context } = await openPage(browser, `${service.api.url}/containers/site-d?since=1h`)
    await page.getByText('more 1', { exact: true }).first().waitFor()
    const log = page.getByRole('log', { name: 'Lines' })
    await log.focus()
    await page.keyboard.press('Home')
    const first = log.locator('.log-line', { hasText: /^[\d:.]+ 1$/ })
    await first.waitFor()
    expect(await page.getByLabel('Follow').isChecked()).to.equal(false)
    const before = await first.boundingBox()
    const count = page.getByText(/^\d+ lines$/)
    const told = await count.innerText()
    await eventually(
      () => count.innerText(),
      (text) => text !== told,
    )
    expect(await first.boundingBox()).to.deep.equal(before)
    await log.focus()
    await page.keyboard.press('End')
    await first.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Follow').isChecked()).to.equal(true)
    // Who comes to see a moment stays there, and does not follow.
    const moment = new Date(Date.now() - 3_600_000).toISOString()
    await page.goto(`${service.api.url}/containers/site-d?since=${moment}`)
    await page.getByText(/^[4-9]\d\d lines$/).waitFor()
    await first.waitFor()
    expect(await page.getByLabel('Follow').isChecked()).to.equal(false)
    await context.close()
  })
})
