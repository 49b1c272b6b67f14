import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { eventually, untilEnded } from '../support/service.ts'
import { axeProblems, openPage } from './browser.ts'
import { dashboardScene } from './scene.ts'
import { seedTrace } from './seed-trace.ts'

const MANY = 100_000

describe('The timeline of the dashboard', function () {
  this.timeout(180_000)
  let large: string
  const rows = (page: Page) => page.getByRole('treegrid', { name: 'Events' })
  /** Ids of the events that a timeline holds. */
  const count = (page: Page) => page.locator('.timeline').getAttribute('data-events').then(Number)

  const scene = dashboardScene()
  before(async () => {
    large = await seedTrace(scene.service.store, MANY)
  })
  const { open } = scene

  it('holds 100,000 events, each within reach, in a page that stays small', async () => {
    const { page, context, problems } = await open(`/executions/${large}`)
    await page.getByText('100,000 events').waitFor({ timeout: 90_000 })
    await rows(page).focus()
    await page.keyboard.press('End')
    await page.locator(`#event-${MANY}`).waitFor()
    await page.keyboard.press('Home')
    await page.locator('#event-1').waitFor()
    await page.keyboard.press('n')
    // The first failure is the 201st event.
    await page.locator('#event-201[data-active]').waitFor()
    expect(await page.locator('*').count()).to.be.below(1_500)
    await page.getByLabel('Failures only (499)').check()
    await page.getByText('500 of 100,000 events').waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('is opened so many levels deep by the keys 1 to 9', async () => {
    const { page, context } = await open(`/executions/${large}`)
    await page.getByText('100,000 events').waitFor({ timeout: 90_000 })
    await rows(page).focus()
    for (const [key, shown] of [
      ['1', '1'],
      ['9', '100000'],
    ] as const) {
      await page.keyboard.press(key)
      await eventually(
        () => rows(page).getAttribute('aria-rowcount'),
        (all) => all === shown,
      )
    }
    await context.close()
  })

  it('is at its address: filter, failures and open event come back in another browser', async () => {
    const { page, context } = await open(`/executions/${large}`)
    await page.getByText('100,000 events').waitFor()
    await page.getByLabel('Filter events').fill('tool_4')
    await page.getByLabel(/^Failures only/).check()
    await rows(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('tool_call').waitFor()
    const address = page.url()
    const shown = await rows(page).ariaSnapshot()
    await context.close()
    const again = await openPage(scene.browser, address)
    await again.page.getByRole('dialog').getByText('tool_call').waitFor()
    await eventually(
      () => rows(again.page).ariaSnapshot(),
      (text) => text === shown,
    )
    await again.page.keyboard.press('Escape')
    await again.page.getByRole('dialog').waitFor({ state: 'hidden' })
    await again.context.close()
  })

  it('shows what a model wrote as text, never as a page', async () => {
    const { page, context, problems } = await open(`/executions/${large}?tab=data`)
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await page.locator('main img').count()).to.equal(0)
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('grows while its execution runs, ends with it, and its tokens are those of the service', async () => {
    const inputs = { n: 3, gate: 'timeline' }
    const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: 'reckoner', inputs })
    const id = body.prompt_id as string
    const { page, context } = await open(`/executions/${id}`)
    await eventually(
      () => count(page),
      (events) => events >= 1,
    )
    await page.locator('.page-title [data-status=ring]').waitFor()
    await scene.service.open('timeline')
    await page.locator('.page-title [data-status=check]').waitFor()
    const { body: ended } = await untilEnded(scene.service, id)
    const { body: traces } = await scene.service.request('GET', `/api/traces?job_id=${id}&limit=1000`)
    await eventually(
      () => count(page),
      (events) => events === traces.traces.length,
    )
    const tokens = await eventually(
      () => page.locator('[data-tokens]').getAttribute('data-tokens'),
      (text) => Number(text) === ended.token_usage.total_tokens,
    )
    expect(Number(tokens)).to.be.above(0)
    await context.close()
  })

  it('says of a run that is quiet what it waits for', async () => {
    const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: 'slow-tool', inputs: {} })
    const { page, context } = await open(`/executions/${body.prompt_id}`)
    await page.getByText('Waits for wait, which the model asked for').waitFor({ timeout: 60_000 })
    await scene.service.request('POST', `/api/prompts/${body.prompt_id}/cancel`)
    await context.close()
  })

  it('leads by keys alone from the list through a failure to its replay', async () => {
    const { body } = await scene.service.request('POST', '/api/jobs', { pipeline_name: 'failing', inputs: {} })
    const { page, context } = await open('/')
    await page.getByText('Ever submitted').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    const grid = page.getByRole('grid', { name: 'Executions' })
    await grid.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('agent:failing')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: (body.job_id as string).slice(0, 8) }).waitFor()
    await grid.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/executions/${body.job_id}*`)
    await page.locator('.timeline-row[data-failed]').first().waitFor()
    await rows(page).focus()
    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Replay' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Replay of').waitFor()
    await context.close()
  })

  it('shows less of the time with Ctrl and the wheel, by keys, and at its address', async () => {
    const inputs = { steps: 3, calls: 3 }
    const { body } = await scene.service.request('POST', '/api/jobs', { pipeline_name: 'many-tools', inputs })
    const { page, context } = await open(`/executions/${body.job_id}`)
    const zoom = () => {
      const { searchParams } = new URL(page.url())
      return { from: Number(searchParams.get('from')), to: Number(searchParams.get('to')) }
    }
    const length = ({ from, to }: ReturnType<typeof zoom>) => to - from
    await page.locator('.timeline-bars').nth(3).hover()
    await page.keyboard.down('Control')
    for (let step = 0; step < 5; step += 1) await page.mouse.wheel(0, -150)
    await page.keyboard.up('Control')
    const wheeled = await eventually(
      async () => zoom(),
      ({ to }) => to > 0,
    )
    expect(await page.evaluate('visualViewport.scale'), 'the page keeps its size').to.equal(1)
    await rows(page).focus()
    await page.keyboard.press('+')
    const nearer = await eventually(
      async () => zoom(),
      (now) => length(now) < length(wheeled),
    )
    await page.keyboard.press('-')
    await eventually(
      async () => zoom(),
      (now) => length(now) > length(nearer),
    )
    await page.keyboard.press('0')
    await eventually(
      async () => zoom(),
      ({ to }) => to === 0,
    )
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('z')
    await eventually(
      async () => zoom(),
      ({ to }) => to > 0,
    )
    await page.getByRole('button', { name: 'Fit' }).click()
    await eventually(
      async () => zoom(),
      ({ to }) => to === 0,
    )
    await context.close()
  })

  it('has lower rows when that is chosen, on the device', async () => {
    const { body } = await scene.service.request('POST', '/api/jobs', {
      pipeline_name: 'many-tools',
      inputs: { steps: 2, calls: 2 },
    })
    const { page, context } = await open(`/executions/${body.job_id}`)
    const tops = () =>
      page.locator('.timeline-row').evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top))
    const distance = async () => ((await tops())[1] ?? 0) - ((await tops())[0] ?? 0)
    await page.locator('.timeline-row').nth(3).waitFor()
    expect(await distance()).to.equal(28)
    await page.getByLabel('Settings').click()
    await page.getByLabel('Dense rows').check()
    await eventually(distance, (px) => px === 24)
    expect(await axeProblems(page)).to.deep.equal([])
    await page.reload()
    await page.locator('.timeline-row').nth(3).waitFor()
    expect(await distance()).to.equal(24)
    await context.close()
  })

  it('folds what repeats, at its address, and opens it again by the keys', async () => {
    const inputs = { steps: 2, calls: 12 }
    const { body } = await scene.service.request('POST', '/api/jobs', { pipeline_name: 'many-tools', inputs })
    const { page, context } = await open(`/executions/${body.job_id}`)
    await page.getByLabel('Fold repeats').check()
    await page.getByText('5 of 29 events').waitFor()
    await page.getByRole('row', { name: 'add × 12' }).nth(1).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.reload()
    await page.getByText('5 of 29 events').waitFor()
    await rows(page).focus()
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await page.getByText('17 of 29 events').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('5 of 29 events').waitFor()
    await context.close()
  })

  it('has its events as a log, filtered by the same words, down to the last of 100,000', async () => {
    const { page, context, problems } = await open(`/executions/${large}?tab=log`)
    await page.getByText('100,000 events').waitFor()
    const log = page.getByRole('table', { name: 'Log' })
    await log.focus()
    await page.keyboard.press('End')
    await log.locator(`[aria-rowindex="${MANY}"]`).waitFor()
    await page.getByLabel('Failures only (499)').check()
    await page.getByText('499 of 100,000 events').waitFor()
    await log.getByRole('button').first().click()
    await page.getByRole('dialog').waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    expect(problems).to.deep.equal([])
    await context.close()
  })
})
