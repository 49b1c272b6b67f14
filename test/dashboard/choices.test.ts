import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { eventually, untilEnded } from '../support/service.ts'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

const TASKS = 130

describe('What a person chooses in the dashboard', function () {
  this.timeout(180_000)
  const scene = dashboardScene()
  let prompt = ''

  before(async () => {
    const { service } = scene
    const body = { prompt_name: 'many-tools', inputs: { steps: 3, calls: 2 } }
    prompt = (await service.request('POST', '/api/prompts', body)).body.prompt_id
    await untilEnded(service, prompt)
    await service.open('open')
    const tasks = Array.from({ length: TASKS }, (_, value) => ({ gate: 'open', value }))
    await service.request('POST', '/api/agents/gated/batch', { tasks, batch_id: 'many', wait: true })
  })

  const heads = (page: Page) => page.getByRole('columnheader').allInnerTexts()

  it('columns of the executions are kept on the device', async () => {
    const { page, context, problems } = await scene.open('/executions?batch_id=many')
    await page.getByRole('grid', { name: 'Executions' }).waitFor()
    expect(await heads(page)).not.to.include('Batch')
    await page.getByText('Columns', { exact: true }).click()
    await page.getByLabel('Batch', { exact: true }).check()
    await page.getByLabel('Error', { exact: true }).uncheck()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.reload()
    await page.getByRole('grid', { name: 'Executions' }).waitFor()
    expect(await heads(page))
      .to.include('Batch')
      .and.not.to.include('Error')
    await page.getByRole('link', { name: 'many', exact: true }).first().click()
    await page.getByRole('heading', { name: 'many', exact: true }).waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('all executions that match are chosen, those below what is loaded too', async () => {
    const { page, context } = await scene.open('/executions?batch_id=many')
    await page.getByLabel(/^Choose all \d+ that are loaded$/).check()
    await page.getByRole('button', { name: 'Choose all that match' }).click()
    await page.getByText(`${TASKS} chosen`).waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('heading', { name: `Run ${TASKS} executions again?` }).waitFor()
    await context.close()
  })

  it('the row that the keys are at says what it was given', async () => {
    const { page, context } = await scene.open(`/executions?id_prefix=${prompt}`)
    await page.getByRole('grid', { name: 'Executions' }).focus()
    await page.keyboard.press('j')
    await page.locator('.inputs-preview', { hasText: '{"steps":3,"calls":2}' }).waitFor()
    await context.close()
  })

  it('a drawer is made wider by keys and by drawing, and is so the next time', async () => {
    const { page, context } = await scene.open(`/executions/${prompt}`)
    await page.locator('.timeline-row').first().click()
    const handle = page.getByRole('separator', { name: 'Width of the drawer' })
    await handle.focus()
    await page.keyboard.press('ArrowLeft')
    const width = () => page.locator('dialog.drawer').evaluate((dialog) => dialog.getBoundingClientRect().width)
    expect(await width()).to.equal(680)
    const { x, y } = (await handle.boundingBox()) as { x: number; y: number }
    await page.mouse.move(x + 4, y + 300)
    await page.mouse.down()
    await page.mouse.move(540, y + 300, { steps: 3 })
    await page.mouse.up()
    expect(await width()).to.equal(900)
    expect(await axeProblems(page)).to.deep.equal([])
    await page.reload()
    await page.locator('dialog.drawer').waitFor()
    expect(await width()).to.equal(900)
    await context.close()
  })

  it('a line through the bars of a timeline tells the time at the pointer', async () => {
    const { page, context } = await scene.open(`/executions/${prompt}`)
    const bars = (await page.locator('.timeline-bars').first().boundingBox()) as { x: number; y: number; width: number }
    await page.mouse.move(bars.x + 1, bars.y + 5)
    await page.locator('.crosshair > span', { hasText: /^\d+ ms$/ }).waitFor()
    await page.mouse.move(bars.x - 200, bars.y + 5)
    await page.locator('.crosshair').waitFor({ state: 'detached' })
    await context.close()
  })

  it('a time drawn on a chart leads to what was submitted in it', async () => {
    const { page, context } = await scene.open('/?minutes=15')
    const chart = page.getByRole('region', { name: /^Ended, by/ }).locator('.chart-picture')
    const { x, y, width } = (await chart.boundingBox()) as { x: number; y: number; width: number }
    await page.mouse.move(x + 2, y + 40)
    await page.mouse.down()
    await page.mouse.move(x + width - 2, y + 40, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('grid', { name: 'Executions' }).waitFor()
    const { searchParams } = new URL(page.url())
    const span = Date.parse(searchParams.get('until') ?? '') - Date.parse(searchParams.get('since') ?? '')
    expect(span).to.equal(15 * 60_000)
    await eventually(
      () => page.locator('.row:not(.row-head)').count(),
      (count) => count > 0,
    )
    await context.close()
  })
})
