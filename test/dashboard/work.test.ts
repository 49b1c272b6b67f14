import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { commandLine } from '../cli/command.ts'
import { eventually, untilEnded } from '../support/service.ts'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

describe('Work that is begun in the dashboard', function () {
  this.timeout(120_000)

  const scene = dashboardScene()
  const { open } = scene

  it('a run of the playground shows its answer, and is there again after a reload', async () => {
    const { page, context } = await open('/playground?agent=upper')
    await page.getByRole('button', { name: 'JSON' }).click()
    await page.getByLabel('Inputs as JSON').fill('{"text": "quiet"')
    await page.getByText(/line 1 column 17/).waitFor()
    await page.getByLabel('Inputs as JSON').fill('{"text": "quiet"}')
    await page.keyboard.press('Control+Enter')
    await page.locator('.answer', { hasText: /^QUIET$/ }).waitFor()
    await page.reload()
    await page.locator('.answer', { hasText: /^QUIET$/ }).waitFor()
    await page.goto(`${scene.service.api.url}/playground?agent=upper`)
    await page.getByText('Earlier inputs').click()
    await page.getByRole('link', { name: '{"text":"quiet"}' }).click()
    await page.waitForURL(/playground\?from=/)
    await page.getByLabel('Inputs as JSON').waitFor()
    expect(JSON.parse(await page.getByLabel('Inputs as JSON').inputValue())).to.deep.equal({ text: 'quiet' })
    await context.close()
  })

  it('a menu closes with Escape, beside it, and after a choice', async () => {
    const { page, context } = await open('/playground?agent=instant')
    const choice = page.getByRole('button', { name: 'TypeScript' })
    const menu = page.getByText('Copy as')
    await menu.focus()
    await page.keyboard.press('Enter')
    await choice.focus()
    await page.keyboard.press('Escape')
    await choice.waitFor({ state: 'hidden' })
    expect(await page.locator(':focus').innerText()).to.equal('Copy as')
    await menu.click()
    await page.getByRole('heading', { name: 'Playground' }).click()
    await choice.waitFor({ state: 'hidden' })
    await page.getByLabel('Settings').click()
    await page.getByRole('link', { name: 'Limits of providers' }).click()
    await page.waitForURL('**/limits')
    await page.getByLabel('Times in').waitFor({ state: 'hidden' })
    await context.close()
  })

  it('a run can be copied as a command that does the same', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, context } = await open('/playground?agent=instant', { permissions })
    await page.getByRole('button', { name: 'JSON' }).click()
    const inputs = `{"n": 9007199254740993, "digits": "7", "text": "it's a = \\"b\\" $HOME", "list": [1, null]}`
    await page.getByLabel('Inputs as JSON').fill(inputs)
    await page.getByText('Copy as').click()
    await page.getByRole('button', { name: 'the command' }).click()
    await page.getByText('Copied the command.').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    await context.close()
    expect(copied).to.match(/^npx troupe --url http:\S+ run instant -i /)
    const command = copied.replace(/^npx troupe/, `"${process.execPath}" cli/troupe.mjs`)
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --json`], {
      cwd: join(import.meta.dirname, '../..'),
    })
    expect(stdout).to.include(`"inputs":${inputs.replaceAll(/([:,]) /g, '$1')}`)
  })

  it('a message to an agent is answered in the chat', async () => {
    const { page, context } = await open('/agents/instant')
    await page.getByLabel('Message').fill('Good morning')
    await page.keyboard.press('Enter')
    await page.locator('.chat-theirs[data-status=completed]').waitFor()
    expect(await page.locator('.chat-theirs').innerText()).to.include('Good morning')
    const steps = page.getByRole('region', { name: 'Steps to the answer' })
    await steps.getByRole('row').first().waitFor()
    const first = await steps.getByRole('row').first().getAttribute('id')
    await page.getByLabel('Message').fill('Good night')
    await page.keyboard.press('Enter')
    await page.locator('.chat-theirs[data-status=completed]').nth(1).waitFor()
    await steps.locator(`#${first}`).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Steps' }).first().click()
    await steps.locator(`#${first}`).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel('Message').scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Steps' }).last().click()
    await eventually(
      () => steps.evaluate((panel) => panel.getBoundingClientRect().top),
      (top) => top < 500,
    )
    // What was said is there again after a look elsewhere, and after a reload, until somebody begins again.
    await page.getByRole('link', { name: 'Open the execution' }).click()
    await page.locator('.timeline-row').first().waitFor()
    await page.goBack()
    const answers = page.locator('.chat-theirs[data-status=completed]')
    await answers.nth(1).waitFor()
    await page.reload()
    await answers.filter({ hasText: 'Good morning' }).waitFor()
    await answers.filter({ hasText: 'Good night' }).waitFor()
    await page.getByRole('button', { name: 'Begin again' }).click()
    await page.getByText('Ask it something.').waitFor()
    await page.reload()
    await page.getByText('Ask it something.').waitFor()
    await context.close()
  })

  /** Fills what a tab keeps, but for so many characters. */
  const fillTab = (page: Page, left: number) =>
    page.evaluate(`
      let filler = ''
      for (let size = 2 ** 23; size >= 1; size /= 2)
        try {
          sessionStorage.setItem('filler', filler + 'x'.repeat(size))
          filler += 'x'.repeat(size)
        } catch {}
      sessionStorage.setItem('filler', filler.slice(0, filler.length - ${left}))
    `)

  it('a chat of which the tab could not keep one message is there again after a reload', async () => {
    const { page, context } = await open('/agents/instant')
    await fillTab(page, 50_000)
    const message = 'long '.repeat(50_000).trim()
    await page.getByLabel('Message').fill(message)
    await page.keyboard.press('Enter')
    const answer = page.locator('.chat-theirs[data-status=completed]')
    await answer.waitFor()
    await page.reload()
    await answer.waitFor()
    const said = page.locator('.chat-mine')
    await said.getByRole('button', { name: 'Show all 250.0 kB' }).click()
    expect(await said.evaluate(({ textContent }) => textContent)).to.equal(message)
    await context.close()
  })

  it('a chat goes on where the browser has no room to keep it, and says so', async () => {
    const { page, context, problems } = await open('/agents/instant')
    await fillTab(page, 0)
    await page.getByLabel('Message').fill('Good morning')
    await page.keyboard.press('Enter')
    await page.getByText('a reload of this tab forgets the chat').waitFor()
    await page.locator('.chat-theirs[data-status=completed]', { hasText: 'Good morning' }).waitFor()
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('a long duration is not cut, in the list and in a timeline', async () => {
    const { body } = await scene.service.request('POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} })
    const { page, context } = await open('/executions')
    const cut = (place: Locator, text: string) =>
      place.evaluate((cell, long) => {
        ;(cell.firstElementChild ?? cell).textContent = long
        return cell.scrollWidth - cell.clientWidth
      }, text)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${scene.service.api.url}/executions`)
      const listed = page.locator(`#job-${body.job_id} .cell-duration`)
      expect(await cut(listed, '59 min 59 s'), `in the list, ${width} px`).to.equal(0)
      await page.goto(`${scene.service.api.url}/executions/${body.job_id}`)
      const row = page.locator('.timeline-row').first()
      expect(await cut(row.locator('.timeline-number').last(), '59 min 59 s …'), `in a timeline, ${width} px`).to.equal(
        0,
      )
    }
    await context.close()
  })

  it('a file of lines becomes a batch of typed tasks; the lines that are none are named', async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `${index},"row, ""${index}""",${index % 2 === 0}`)
    const buffer = Buffer.from(['n,text,even', ...lines].join('\n'))
    const { page, context } = await open('/batches/new')
    const file = { name: 'rows of july.csv', mimeType: 'text/csv', buffer }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('2,500 tasks from rows of july.csv').waitFor()
    expect(await page.getByLabel('Type of n').inputValue()).to.equal('number')
    expect(await page.getByLabel('Type of even').inputValue()).to.equal('boolean')
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('instant')
    const id = await page.getByLabel('Batch id').inputValue()
    await page.getByRole('button', { name: /^Submit 2,500 tasks/ }).click()
    await page.waitForURL(`**/batches/${id}`)
    await page.locator('[data-recorded="2500"]').waitFor({ timeout: 90_000 })
    const { body } = await scene.service.request('GET', `/api/batches/${id}`)
    expect(body.inputs.tasks).to.deep.equal(
      Array.from({ length: 2_500 }, (_, n) => ({ n, text: `row, "${n}"`, even: n % 2 === 0 })),
    )
    // The command line makes the same of it.
    const folder = await mkdtemp(join(tmpdir(), 'troupe-rows-'))
    await writeFile(join(folder, file.name), buffer)
    const { troupe } = commandLine({ TROUPE_URL: scene.service.api.url })
    const dryRun = await troupe('batch', 'submit', join(folder, file.name), '-a', 'instant', '--dry-run')
    expect(JSON.parse(dryRun.stdout)).to.deep.include({ tasks: 2_500, first: body.inputs.tasks.slice(0, 3) })
    await rm(folder, { recursive: true })
    // The same file once more submits nothing.
    await page.goto(`${scene.service.api.url}/batches/new`)
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('instant')
    await page.getByRole('button', { name: /^Submit 2,500 tasks/ }).click()
    await page.waitForURL(`**/batches/${id}`)
    const { body: after } = await scene.service.request('GET', `/api/batches/${id}?results=false`)
    expect(after.task_count).to.equal(2_500)
    await context.close()
  })

  it('the inputs of a batch are listed, filtered, and lead to its tasks', async () => {
    const tasks = Array.from({ length: 300 }, (_, n) => ({ n, text: `input ${n}` }))
    const { body } = await scene.service.request('POST', '/api/agents/instant/batch', { tasks, wait: true })
    const { page, context } = await open(`/batches/${body.batch_id}`)
    await page.getByRole('tab', { name: 'Inputs' }).click()
    await page.getByText('300 tasks', { exact: true }).waitFor()
    await page.getByText('{"n":0,"text":"input 0"}').waitFor()
    await page.getByLabel('Filter inputs').fill('INPUT 29')
    await page.getByText('11 of 300 tasks').waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.getByRole('button', { name: '#300' }).click()
    await page.waitForURL(`**/executions/${body.task_ids[299]}`)
    await page.goBack()
    await page.getByLabel('Filter inputs').fill('nowhere')
    await page.getByText('0 of 300 match.').waitFor()
    await context.close()
  })

  it('the tasks of a batch can be read on a phone', async () => {
    const tasks = Array.from({ length: 40 }, (_, n) => ({ n }))
    const { body } = await scene.service.request('POST', '/api/agents/instant/batch', { tasks, wait: true })
    const { page, context } = await open(`/batches/${body.batch_id}?tab=tasks`, {
      viewport: { width: 390, height: 844 },
    })
    const table = page.getByRole('region', { name: 'Tasks', exact: true })
    await table.getByRole('row').nth(40).waitFor()
    const tab = await page.getByRole('tab', { name: 'Tasks' }).boundingBox()
    const tabs = await page.getByRole('tablist').boundingBox()
    expect(tabs?.height, 'the tabs are as high as one of them').to.be.at.least(tab?.height ?? Infinity)
    const cut = await table.evaluate((element) => element.scrollHeight - element.clientHeight)
    expect(cut, 'none is cut off').to.equal(0)
    const { right } = await page
      .getByRole('group', { name: 'State' })
      .evaluate((group) => group.getBoundingClientRect())
    expect(right).to.be.at.most(390)
    await context.close()
  })

  it('a filter that nothing fits says how many there are, and leaves out a word', async () => {
    const { body } = await scene.service.request('GET', '/api/jobs?limit=1')
    const { page, context } = await open('/executions?agent=nobody&kind=chat')
    await page.getByText(`0 of ${body.total.toLocaleString('en-US')} match.`).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Without agent:nobody' }).click()
    await page.waitForURL((url) => url.search === '?kind=chat')
    await context.close()
  })

  it('what runs is canceled after a question that says what will happen', async () => {
    const inputs = { gate: 'never' }
    const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: 'gated', inputs })
    const { page, context } = await open(`/executions/${body.prompt_id}`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel 1 execution' }).click()
    await page.locator('.page-title').getByText('canceled').waitFor()
    await eventually(
      () => scene.service.request('GET', `/api/prompts/${body.prompt_id}`),
      (answer) => answer.body.status === 'canceled',
    )
    await context.close()
  })

  it('several executions are chosen, run again and deleted; what fails stays chosen', async () => {
    const inputs = { bulk: randomUUID() }
    for (let count = 0; count < 3; count += 1) {
      const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: 'upper', inputs })
      await untilEnded(scene.service, body.prompt_id as string)
    }
    const { page, context } = await open('/executions?agent=upper')
    const total = () => scene.service.request('GET', '/api/jobs?agent=upper&limit=100')
    const { body: before } = await total()
    const boxes = page.getByRole('checkbox', { name: /^Choose [0-9a-f]{8}$/ })
    await boxes.nth(0).check()
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    await page.getByText('3 chosen').waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('button', { name: 'Replay 3 executions' }).click()
    await page.getByText('3 run again.').waitFor()
    await eventually(total, ({ body }) => body.jobs.length === before.jobs.length + 3)
    await page.getByRole('checkbox', { name: /^Choose all/ }).check()
    await page.getByRole('group', { name: 'What was chosen' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: /^Delete \d+ executions/ }).click()
    await page.getByText(/ deleted\./).waitFor()
    await eventually(total, ({ body }) => body.jobs.length <= 3)
    await context.close()
  })

  it('what cannot be done with some of the chosen executions is said before', async () => {
    const inputs = { gate: 'never' }
    const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: 'gated', inputs })
    const tasks = [{ gate: 'left-out' }]
    await scene.service.open('left-out')
    await scene.service.request('POST', '/api/agents/gated/batch', { tasks, batch_id: 'left-out', wait: true })
    const ended = await scene.service.request('POST', '/api/prompts', {
      prompt_name: 'gated',
      inputs: { gate: 'left-out' },
    })
    await untilEnded(scene.service, ended.body.prompt_id as string)
    const { page, context } = await open('/executions?agent=gated')
    const task = await scene.service.request('GET', '/api/batches/left-out')
    for (const id of [body.prompt_id, ended.body.prompt_id, task.body.task_ids[0]]) {
      await page.locator(`#job-${id} input`).check()
    }
    const bar = page.getByRole('group', { name: 'What was chosen' })
    for (const [name, action, said] of [
      ['Replay', 'Replay 2 executions', '1 of the chosen is left out: still running.'],
      ['Cancel', 'Cancel 1 execution', '2 of the chosen are left out: ended before.'],
      [
        'Delete',
        'Delete 1 execution',
        '2 of the chosen are left out: still running, or deleted with their batch only.',
      ],
    ] as const) {
      await bar.getByRole('button', { name }).click()
      await page.getByRole('button', { name: action, exact: true }).waitFor()
      await page.getByText(said).waitFor()
      expect(await axeProblems(page)).to.deep.equal([])
      await page.getByRole('button', { name: 'Leave it' }).click()
    }
    await scene.service.request('POST', `/api/prompts/${body.prompt_id}/cancel`)
    await context.close()
  })

  it('what can be done with chosen executions, and what a menu offers, is within a phone', async () => {
    const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: { n: 1 } })
    await untilEnded(scene.service, body.prompt_id as string)
    const { page, context } = await open('/executions?agent=instant', { viewport: { width: 390, height: 844 } })
    const within = async (buttons: Locator): Promise<void> => {
      for (const button of await buttons.all()) {
        const box = await button.boundingBox()
        expect(box?.x, await button.innerText()).to.be.at.least(0)
        expect((box?.x ?? 0) + (box?.width ?? 0), await button.innerText()).to.be.at.most(390)
      }
    }
    await page.locator(`#job-${body.prompt_id} input`).check()
    const bar = page.getByRole('group', { name: 'What was chosen' })
    await bar.getByRole('button', { name: 'Delete' }).waitFor()
    await within(bar.getByRole('button'))
    await page.goto(`${scene.service.api.url}/executions/${body.prompt_id}`)
    for (const name of ['Download', 'Copy as']) {
      await page.locator('summary', { hasText: name }).click()
      const choices = page.locator('.menu[open]').getByRole('button')
      await choices.first().waitFor()
      await within(choices)
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Control+k')
    const choices = page.getByRole('listbox').getByRole('option')
    await choices.first().waitFor()
    await within(choices.locator('span'))
    await context.close()
  })

  it('a filter is saved on the device, and forgotten again', async () => {
    const { page, context } = await open('/executions?agent=upper&status=failed')
    await page.getByRole('button', { name: 'Save this filter' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page
      .getByRole('button', { name: 'agent:upper status:failed' })
      .or(page.getByRole('button', { name: 'status:failed agent:upper' }))
      .click()
    await page.waitForURL(/agent=upper/)
    await page.getByRole('button', { name: 'Forget this filter' }).click()
    await page.getByRole('button', { name: 'Save this filter' }).waitFor()
    await context.close()
  })

  it('the palette leads by keys to a page, an agent, what was looked at last, and any id', async () => {
    const { body } = await scene.service.request('POST', '/api/jobs', { pipeline_name: 'upper', inputs: { text: 'x' } })
    const { page, context } = await open('/')
    const go = async (text: string, choice?: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Page, agent, id or action' }).waitFor()
      await page.keyboard.type(text)
      // What the service has to be asked for is offered a moment later.
      if (choice !== undefined) await page.getByRole('option', { name: choice }).waitFor()
      await page.keyboard.press('Enter')
    }
    await page.getByText('Ever submitted').waitFor()
    await go('containers')
    await page.waitForURL('**/containers')
    await go('reckoner', 'reckoner agent')
    await page.waitForURL('**/agents/reckoner')
    await go((body.job_id as string).slice(0, 8))
    await page.waitForURL(`**/executions/${body.job_id}`)
    await page.getByRole('heading', { name: 'upper' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: `upper ${(body.job_id as string).slice(0, 8)}` }).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'hidden' })
    await go('no such thing')
    await page.getByText('Nothing here is called “no such thing”').waitFor()
    await context.close()
  })

  it('the keys [ and ] lead through the list that an execution was opened from, and . to what can be done', async () => {
    const inputs = { neighbors: randomUUID() }
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const { body } = await scene.service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs })
      ids.unshift(body.prompt_id as string)
      await untilEnded(scene.service, body.prompt_id as string)
    }
    const { page, context } = await open('/executions?agent=instant&kind=prompt')
    await page.locator(`#job-${ids[1]} a`).click()
    await page.getByRole('link', { name: 'Next of the list' }).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    for (const [key, id] of [
      [']', ids[2]],
      ['[', ids[1]],
      ['[', ids[0]],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForURL(`**/executions/${id}`)
      await page
        .locator('.facts')
        .getByText(id as string)
        .waitFor()
    }
    expect(await page.getByRole('link', { name: 'Previous of the list' }).count(), 'the first of all').to.equal(0)
    await page.keyboard.press('.')
    expect(await page.locator(':focus').innerText()).to.equal('Replay')
    await page.goto(`${scene.service.api.url}/executions/${ids[1]}`)
    await page.locator('.facts').waitFor()
    expect(await page.getByRole('link', { name: 'Next of the list' }).count(), 'opened anew').to.equal(0)
    await page.goto(`${scene.service.api.url}/agents`)
    await page.getByRole('link', { name: 'instant', exact: true }).waitFor()
    await page.keyboard.press('.')
    await page.getByRole('combobox', { name: 'Page, agent, id or action' }).waitFor()
    await context.close()
  })

  it('the totals of the overview are the service’s', async () => {
    const { page, context } = await open('/')
    const { body: metrics } = await scene.service.request('GET', '/api/metrics')
    await page.locator(`[data-total-jobs="${metrics.total_jobs}"]`).waitFor()
    const { body: series } = await scene.service.request('GET', '/api/metrics/series?minutes=60&step=1')
    const figure = page.locator('.figure', { hasText: 'Completed, 1 h' }).locator('.figure-value')
    await eventually(
      () => figure.innerText(),
      (text) => Number(text.replaceAll(',', '')) === series.total.completed,
    )
    await context.close()
  })
})
