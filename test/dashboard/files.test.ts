import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { untilEnded } from '../support/service.ts'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

const ROWS = 5_000

describe('Files in the dashboard:', function () {
  this.timeout(240_000)

  const scene = dashboardScene()

  it('a submission continues with the same file after three reloads, with every row once', async () => {
    const lines = Array.from({ length: ROWS }, (_, index) => `${index},line ${index}`)
    const file = { name: 'long.csv', mimeType: 'text/csv', buffer: Buffer.from(['n,text', ...lines].join('\n')) }
    const { page, context } = await scene.open('/batches/new')
    let allowed = 0
    let sent = 0
    await page.route(/\/(batch|add-tasks)$/, async (route) => {
      sent += 1
      // What is beyond is on its way when the page is left.
      if (sent > allowed) return
      await route.continue().catch(() => undefined)
    })
    const submit = async (): Promise<void> => {
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('instant')
      await page.getByRole('button', { name: /^Submit 5,000 tasks/ }).click()
    }
    for (let interruption = 0; interruption < 3; interruption += 1) {
      sent = 0
      allowed = 1
      const blocked = page.waitForRequest((request) => /\/(batch|add-tasks)$/.test(request.url()) && sent >= allowed)
      await submit()
      await blocked
      await page.goto(`${scene.service.api.url}/batches/new`)
    }
    allowed = Infinity
    await submit()
    await page.waitForURL(/\/batches\/long-/)
    await page.locator(`[data-recorded="${ROWS}"]`).waitFor({ timeout: 120_000 })
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const { body } = await scene.service.request('GET', `/api/batches/${id}`)
    const inputs = body.inputs.tasks as { n: number }[]
    expect(inputs.map(({ n }) => n)).to.deep.equal(Array.from({ length: ROWS }, (_, n) => n))
    await context.close()
  })

  it('invalid lines are named before anything is submitted', async () => {
    const { page, context } = await scene.open('/batches/new')
    const lines = Array.from({ length: 300 }, (_, index) => `${index},${index === 250 ? 'n/a' : index}`)
    const buffer = Buffer.from(['n,amount', ...lines].join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer })
    await page.getByText(/299 tasks from bad.csv/).waitFor()
    await page.getByText(/amount is no number: “n\/a”/).waitFor()
    expect(await page.locator('main').innerText()).to.include('252')
    await context.close()
  })

  it('their lines are those of the file, also far down, after empty lines and cells of several lines', async () => {
    const { page, context } = await scene.open('/batches/new')
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index},the text of ${index}`)
    lines[100] = '100,"two\nlines"'
    lines[200] = ''
    lines[20_000] = '20000,one,too many'
    const buffer = Buffer.from(['n,text', ...lines].join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'far.csv', mimeType: 'text/csv', buffer })
    await page.getByText('29,998 tasks from far.csv').waitFor()
    await page.getByText('Line 20,003: Too many fields').waitFor()
    await context.close()
  })

  it('a column alone, pasted, loses no line', async () => {
    const { page, context } = await scene.open('/batches/new')
    await page.getByText('Or paste it').click()
    await page.getByLabel('CSV or JSONL', { exact: true }).fill('query\nWhy is the sky blue?\nWhy is the sea salty?')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByText('2 tasks from pasted.txt').waitFor()
    await page.getByText('{"query":"Why is the sky blue?"}').waitFor()
    await context.close()
  })

  it('a file of JSON lines is read in pieces, and names its wrong lines wherever they are', async () => {
    const { page, context } = await scene.open('/batches/new')
    const lines = Array.from({ length: 12_000 }, (_, n) => JSON.stringify({ n }))
    lines[4_999] = '{"n":'
    lines[11_000] = '[1]'
    const buffer = Buffer.from(lines.join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'rows.jsonl', mimeType: 'text/plain', buffer })
    await page.getByText('11,998 tasks from rows.jsonl').waitFor()
    await page.getByText('Line 5,000: It is no JSON object.').waitFor()
    await page.getByText('Line 11,001: It is no JSON object.').waitFor()
    await context.close()
  })

  it('saved results equal those of the service, including large ones', async () => {
    const large = 'x'.repeat(150_000)
    const tasks = Array.from({ length: 60 }, (_, index) => ({ index, text: index % 10 === 0 ? large : 'small' }))
    await scene.service.request('POST', '/api/agents/instant/batch', { tasks, batch_id: 'saved', wait: true })
    const { page, context } = await scene.open('/batches/saved')
    await page.locator('[data-recorded="60"]').waitFor()
    const download = page.waitForEvent('download')
    await page.getByText('Results', { exact: true }).click()
    await page.getByRole('button', { name: 'Results as JSON lines' }).click()
    const text = await readFile((await (await download).path()) as string, 'utf8')
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { index: number; inputs: unknown; response: { result: unknown } })
    expect(results.map(({ inputs }) => inputs)).to.deep.equal(tasks)
    expect(results.map(({ response }) => response.result)).to.deep.equal(tasks)
    const table = page.waitForEvent('download')
    await page.getByText('Results', { exact: true }).click()
    await page.getByRole('button', { name: 'Results as CSV' }).click()
    const rows = (await readFile((await (await table).path()) as string, 'utf8')).trimEnd().split('\n')
    expect(rows[0]).to.equal('index,task_id,status,error,inputs,result')
    expect(rows).to.have.length(61)
    const small = '"{""index"":59,""text"":""small""}"'
    expect(rows[60])
      .to.match(/^59,[0-9a-f-]{36},success,,/)
      .and.satisfy((row: string) => row.endsWith(`${small},${small}`))
    await context.close()
  })

  it('failed tasks are saved as a file that can be corrected and submitted as a new batch', async () => {
    await scene.service.open('repair')
    const tasks = Array.from({ length: 20 }, (_, row) => ({ row, gate: 'repair', fail: row % 5 === 0 }))
    await scene.service.request('POST', '/api/agents/gated/batch', { tasks, batch_id: 'broken', wait: true })
    const { page, context } = await scene.open('/batches/broken')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save their inputs (CSV)' }).click()
    const text = await readFile((await (await download).path()) as string, 'utf8')
    expect(text).to.equal('row,gate,fail\n0,repair,true\n5,repair,true\n10,repair,true\n15,repair,true\n')
    await page.goto(`${scene.service.api.url}/batches/new`)
    const buffer = Buffer.from(text.replaceAll('true', 'false'))
    await page.locator('input[type=file]').setInputFiles({ name: 'mended.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('gated')
    await page.getByRole('button', { name: /^Submit 4 tasks/ }).click()
    await page.locator('[data-recorded="4"]').waitFor({ timeout: 120_000 })
    await page.getByText('No task has failed.').waitFor()
    await context.close()
  })

  it('adds the lines of a file to a batch, once however often it is chosen; one that is canceled takes none', async () => {
    await scene.service.request('POST', '/api/agents/instant/batch', {
      tasks: [{ n: 0 }],
      batch_id: 'grown',
      wait: true,
    })
    const lines = Array.from({ length: 1_200 }, (_, index) => `${index + 1}`)
    const file = { name: 'more.csv', mimeType: 'text/csv', buffer: Buffer.from(['n', ...lines].join('\n')) }
    const { page, context, problems } = await scene.open('/batches/grown')
    for (const told of ['1,200 tasks submitted.', '0 tasks submitted, 1,200 were there.']) {
      await page.getByRole('link', { name: 'Add tasks' }).click()
      await page.getByRole('heading', { name: 'Add tasks to grown' }).waitFor()
      await page.locator('input[type=file]').setInputFiles(file)
      await page.getByRole('button', { name: 'Submit 1,200 tasks to instant' }).waitFor()
      expect(await axeProblems(page)).to.deep.equal([])
      await page.getByRole('button', { name: 'Submit 1,200 tasks to instant' }).click()
      await page.getByText(told).waitFor({ timeout: 60_000 })
      await page.locator('[data-recorded="1201"]').waitFor({ timeout: 120_000 })
    }
    const { body } = await scene.service.request('GET', '/api/batches/grown')
    expect(body.inputs.tasks).to.deep.equal(Array.from({ length: 1_201 }, (_, n) => ({ n })))
    const tasks = [{ gate: 'never' }]
    await scene.service.request('POST', '/api/agents/gated/batch', { tasks, batch_id: 'ended' })
    await scene.service.request('POST', '/api/batches/ended/cancel')
    await page.goto(`${scene.service.api.url}/batches/ended`)
    await page.locator('.page-title').getByText('canceled').waitFor()
    expect(await page.getByRole('link', { name: 'Add tasks' }).count()).to.equal(0)
    await page.goto(`${scene.service.api.url}/batches/new?to=ended`)
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('it takes no more tasks').waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('an execution’s events are saved whole, and what it did as a report', async () => {
    const inputs = { text: 'y'.repeat(150_000) }
    const submitted = await scene.service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs })
    const id = submitted.body.prompt_id as string
    await untilEnded(scene.service, id)
    const { page, context, problems } = await scene.open(`/executions/${id}`)
    const saved = async (name: string): Promise<string> => {
      const download = page.waitForEvent('download')
      await page.getByText('Download', { exact: true }).click()
      await page.getByRole('button', { name }).click()
      return readFile((await (await download).path()) as string, 'utf8')
    }
    await page.getByText('Download', { exact: true }).click()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
    const lines = (await saved('Events (JSON lines)')).trimEnd().split('\n')
    const events = lines.map((line) => JSON.parse(line) as { id: number; payload: { inputs?: unknown } })
    const { body } = await scene.service.request('GET', `/api/traces?job_id=${id}&limit=1000`)
    expect(body.traces[0].payload.inputs, 'large values are left out of lists').to.have.property('offloaded', true)
    expect(events.map((event) => event.id)).to.deep.equal(body.traces.map((trace: { id: number }) => trace.id))
    expect(events[0]?.payload.inputs).to.deep.equal(inputs)
    const report = await saved('Report (Markdown)')
    expect(report)
      .to.match(/^# instant: completed\n/)
      .and.include('## Steps\n\n- **agent** `instant`')
    expect(report).to.include(`"text": "${inputs.text}"`)
    expect(JSON.parse(await saved('Execution (JSON)'))).to.have.property('job_id', id)
    expect(problems).to.deep.equal([])
    await context.close()
  })
})
