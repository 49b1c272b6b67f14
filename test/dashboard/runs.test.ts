import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { durationText } from '../../client/index.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

describe('Runs in the dashboard:', function () {
  this.timeout(180_000)

  const scene = dashboardScene()
  const get = async (path: string) => (await scene.service.request('GET', path)).body
  const post = async (path: string, body: object) => (await scene.service.request('POST', path, body)).body
  const run = async (pipeline_name: string, inputs: object): Promise<string> =>
    (await post('/api/jobs', { pipeline_name, inputs })).job_id as string
  const drawer = (page: Page, id: number) => page.getByRole('dialog', { name: `Event ${id}`, exact: true })
  const sum = (texts: string[]): number => texts.reduce((all, text) => all + Number(text.replaceAll(',', '')), 0)

  it('an event links to its parent and children, and shows the idle time before it', async () => {
    const id = await run('delegator', {})
    const { traces } = (await get(`/api/traces?job_id=${id}`)) as { traces: { id: number; parent_id: number | null }[] }
    const inner = traces.findLast(({ parent_id }) => parent_id !== null && parent_id !== traces[0]?.id)
    const parent = inner?.parent_id as number
    const { page, context } = await scene.open(`/executions/${id}?span=${inner?.id}`)
    const first = drawer(page, inner?.id as number)
    await first.getByText('Gap before').waitFor()
    await first.getByRole('button', { name: `, event ${parent}` }).click()
    await page.waitForURL(`**/executions/${id}?span=${parent}`)
    const above = drawer(page, parent)
    const children = traces.filter(({ parent_id }) => parent_id === parent)
    await above.getByText(children.length === 1 ? '1 event in it' : `${children.length} events in it`).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await above.getByRole('button', { name: `, event ${inner?.id}` }).click()
    await first.waitFor()
    await page.keyboard.press('Escape')
    await first.waitFor({ state: 'hidden' })
    await context.close()
  })

  it('tokens are told by step, which lead to their events and add up to the sums of the service', async () => {
    // More calls than fit into the view.
    const id = await run('caller', { agents: Array.from({ length: 20 }, () => 'reckoner') })
    const { token_usage } = await get(`/api/jobs/${id}`)
    const { page, context } = await scene.open(`/executions/${id}?tab=tokens`)
    const table = page.getByRole('table', { name: 'Tokens by step' })
    await table.waitFor()
    expect(await table.getAttribute('aria-rowcount')).to.equal(String(token_usage.by_model[0].calls + 1))
    expect(await axeProblems(page)).to.deep.equal([])
    const rows = table.locator('.row-step:not(.row-head)')
    const seen = new Map<string, string[]>()
    // Only the rows in view exist: each is read while it does.
    for (const place of [0, 300, 600, 900, 1_200]) {
      await page.evaluate(`document.querySelector('.rows-steps').scrollTop = ${place}`)
      await page.waitForTimeout(500)
      for (const row of await rows.all()) {
        const cells = await row.locator('.cell').allInnerTexts()
        seen.set((await row.getAttribute('aria-rowindex')) ?? '', cells)
      }
    }
    const cells = [...seen.values()]
    expect(cells.length).to.equal(token_usage.by_model[0].calls)
    expect(token_usage.prompt_tokens).to.be.above(0)
    expect(sum(cells.map((row) => row[4] ?? ''))).to.equal(token_usage.prompt_tokens)
    expect(sum(cells.map((row) => row[5] ?? ''))).to.equal(token_usage.completion_tokens)
    await page.getByRole('button', { name: 'most tokens first' }).click()
    await page.evaluate(`document.querySelector('.rows-steps').scrollTop = 0`)
    const most = Math.max(...cells.map((row) => Number((row[6] ?? '').replaceAll(',', ''))))
    await eventually(
      async () => Number((await rows.first().locator('.cell').nth(6).innerText()).replaceAll(',', '')),
      (tokens) => tokens === most,
    )
    await rows.first().getByRole('button').click()
    await page.getByRole('dialog').getByText('llm_usage').waitFor()
    await context.close()
  })

  it('a canceled run says how long it took to stop, from what the service recorded', async () => {
    const { prompt_id: id } = await post('/api/prompts', { prompt_name: 'gated', inputs: { gate: 'never' } })
    await eventually(
      () => get(`/api/traces?job_id=${id}`),
      ({ traces }) => traces.length > 0,
    )
    await post(`/api/prompts/${id}/cancel`, {})
    await untilEnded(scene.service, id as string)
    const { completed_at } = await eventually(
      () => get(`/api/jobs/${id}`),
      (job) => job.completed_at !== null,
    )
    const { traces } = await get(`/api/traces?job_id=${id}`)
    const asked = traces.find(({ event_type }: { event_type: string }) => event_type === 'task_cancel_requested')
    const tookMs = Date.parse(completed_at) - Date.parse(asked.timestamp)
    const { page, context } = await scene.open(`/executions/${id}`)
    await page
      .locator('.facts')
      .getByText(`${durationText(tookMs)} after the cancel`)
      .waitFor()
    await context.close()
  })

  it('columns of a file are mapped as they were for the same agent before, until they are taken from the file', async () => {
    const file = (name: string) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(`Frage,Nummer\n${name} eins,1\n${name} zwei,2`),
    })
    const { page, context } = await scene.open('/batches/new')
    const choose = async (name: string, agent: string): Promise<void> => {
      await page.locator('input[type=file]').setInputFiles(file(name))
      await page.getByText(`2 tasks from ${name}`).waitFor()
      await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption(agent)
    }
    await choose('one.csv', 'instant')
    await page.getByLabel('Field of Frage').fill('text')
    await page.getByLabel('Type of Nummer').selectOption('leave out')
    await page.getByRole('button', { name: 'Submit 2 tasks to instant' }).click()
    await page.waitForURL('**/batches/one-*')
    await page.goto(`${scene.service.api.url}/batches/new`)
    await choose('two.csv', 'upper')
    expect(await page.getByLabel('Field of Frage').inputValue(), 'of another agent').to.equal('Frage')
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('instant')
    await page.getByText('As they were mapped when tasks were last submitted to instant.').waitFor()
    expect(await page.getByLabel('Field of Frage').inputValue()).to.equal('text')
    expect(await page.getByLabel('Type of Nummer').inputValue()).to.equal('leave out')
    await page.getByText('{"text":"two.csv eins"}').waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'As the file suggests' }).click()
    await page.getByText('{"Frage":"two.csv eins","Nummer":1}').waitFor()
    await context.close()
  })

  it('agents are listed with their models, their runs and what of a day has failed', async () => {
    await run('failing', {})
    await run('reckoner', { n: 2 })
    const { agents } = await get('/api/agents')
    const { page, context } = await scene.open('/agents')
    for (const name of ['failing', 'reckoner']) {
      const { runs, models, last_day } = agents.find((agent: { name: string }) => agent.name === name)
      const row = page.locator(`[data-agent=${name}]`)
      await row.locator(`[data-runs="${runs}"]`).waitFor()
      await row
        .locator(`[data-failed="${last_day.failed}"][data-ended="${last_day.completed + last_day.failed}"]`)
        .waitFor()
      await row.getByText(models.length === 0 ? 'plain code' : models[0], { exact: true }).waitFor()
    }
    await page
      .locator('[data-agent=failing]')
      .getByText(/\(100 %\)$/)
      .waitFor()
    await page.getByRole('link', { name: 'failing', exact: true }).click()
    await page
      .locator('.facts')
      .getByText(/\(100 %\)$/)
      .waitFor()
    await context.close()
  })

  it('failures of one kind run again as a batch of their own; tokens of a batch are the service’s', async () => {
    const message = (text: string) => ({ message: text })
    const tasks = [message('The disk is full.'), message('No such user.'), message('The disk is full.')]
    await post('/api/agents/failing/batch', { tasks, batch_id: 'two-kinds', wait: true })
    const { page, context } = await scene.open('/batches/two-kinds')
    const group = page.getByRole('region', { name: 'The disk is full.' })
    await group.getByRole('button', { name: 'Run these 2 again' }).click()
    await page.waitForURL('**/batches/two-kinds.retry-*')
    await page.locator('[data-recorded="2"]').waitFor()
    const again = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    expect((await get(`/api/batches/${again}`)).inputs.tasks).to.deep.equal([tasks[0], tasks[2]])
    // Each of the two leads to the other.
    await page.getByText('It runs failed tasks of two-kinds again.').getByRole('link').click()
    await page.waitForURL('**/batches/two-kinds')
    await page.getByText(`${again} (completed, 0 of 2 succeeded)`).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.getByRole('link', { name: again }).click()
    await page.waitForURL('**/batches/two-kinds.retry-*')
    await post('/api/agents/many-tools/batch', {
      tasks: [
        { steps: 1, calls: 1 },
        { steps: 2, calls: 1 },
      ],
      batch_id: 'spent',
      wait: true,
    })
    const accept = { Accept: 'application/json' }
    const { body } = await scene.service.request('GET', '/api/batches/spent/grid', undefined, accept)
    const { calls, total_tokens } = body.token_usage.by_model[0]
    expect(calls).to.equal(5)
    await page.goto(`${scene.service.api.url}/batches/spent?tab=tokens`)
    const row = page.getByRole('region', { name: 'Tokens and cost by model' }).getByRole('row', { name: 'scripted' })
    await row.waitFor()
    const cells = await row.getByRole('cell').allInnerTexts()
    expect([cells[0], cells[3]].map((text) => Number(text?.replaceAll(',', '')))).to.deep.equal([calls, total_tokens])
    expect(await axeProblems(page)).to.deep.equal([])
    await context.close()
  })

  it('a batch is shown as a retry only of an existing batch', async () => {
    await post('/api/agents/instant/batch', { tasks: [{ n: 1 }], batch_id: 'nobodys.retry-1', wait: true })
    const { page, context } = await scene.open('/batches/nobodys.retry-1')
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/batches/nobodys')
    await page.reload()
    expect((await asked).status()).to.equal(404)
    await page.locator('[data-recorded="1"]').waitFor()
    expect(await page.getByText('It runs failed tasks of').count()).to.equal(0)
    await context.close()
  })

  it('a batch without running tasks is not shown as ended', async () => {
    const tasks = [{ gate: 'so-far' }]
    const { batch_id } = await post('/api/agents/gated/batch', { tasks })
    const { page, context } = await scene.open(`/batches/${batch_id}`)
    await page.getByText('No task has failed so far.').waitFor()
    await scene.service.open('so-far')
    await page.getByText('No task has failed.').waitFor()
    await context.close()
  })

  it('a batch that is revived says so', async () => {
    const batch_id = 'once-more'
    await post('/api/agents/instant/batch', { tasks: [{ n: 1 }], batch_id, wait: true })
    const { page, context } = await scene.open(`/batches/${batch_id}`)
    await page.locator('[data-recorded="1"]').waitFor()
    expect(await page.getByText('It had completed before').count()).to.equal(0)
    await post(`/api/batches/${batch_id}/add-tasks`, { agent_name: 'gated', tasks: [{ gate: 'revived' }] })
    await page.getByText(/It had completed before: tasks were added .*, and it runs again\./).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await scene.service.open('revived')
    await page.locator('[data-recorded="2"]').waitFor()
    await page.getByText(/It had completed before: tasks were added .*\w\.$/).waitFor()
    await context.close()
  })
})
