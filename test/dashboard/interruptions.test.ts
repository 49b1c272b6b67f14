import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { commandLine } from '../cli/command.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { axeProblems, openPage, startBrowser } from './browser.ts'

const CUTS = 5

const JSON_ONLY = { Accept: 'application/json' }

describe('The dashboard while connections break', function () {
  this.timeout(180_000)
  let service: TestService
  let browser: Browser
  let proxy: Proxy

  before(async function () {
    browser = await startBrowser(this)
    service = await startTestService()
    proxy = await startProxy(service.api.port)
  })
  after(async () => {
    await browser?.close()
    await proxy?.close()
    await service?.stop()
  })

  it('reports the interruption, reconnects, and shows each event of a run once', async () => {
    const inputs = { steps: 40, calls: 5 }
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'many-tools', inputs })
    const id = body.prompt_id as string
    const { page, context } = await openPage(browser, `http://127.0.0.1:${proxy.port}/executions/${id}`)
    await page.locator('.timeline').waitFor()
    for (let cut = 0; cut < CUTS; cut += 1) {
      await page.locator('.pill[data-connection=open]').waitFor()
      proxy.cut()
      await page.locator('.pill[data-connection=disconnected]').waitFor()
      proxy.mend()
    }
    await untilEnded(service, id)
    const { body: traces } = await service.request('GET', `/api/traces?job_id=${id}&limit=1000`)
    await eventually(
      () => page.locator('.timeline').getAttribute('data-events'),
      (events) => Number(events) === traces.traces.length,
    )
    await page.locator('.page-title [data-status=check]').waitFor()
    await context.close()
  })

  it('says how many events it has caught up with', async () => {
    const { page, context } = await openPage(browser, `http://127.0.0.1:${proxy.port}/live`)
    await page.locator('.pill[data-connection=open]').waitFor()
    proxy.cut()
    await page.locator('.pill[data-connection=disconnected]').waitFor()
    const inputs = { steps: 3, calls: 2 }
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'many-tools', inputs })
    await untilEnded(service, body.prompt_id as string)
    const { body: traces } = await service.request('GET', `/api/traces?job_id=${body.prompt_id}&limit=1000`)
    proxy.mend()
    await page.getByText(`caught up: ${traces.traces.length} events`).waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await page.getByText('caught up').waitFor({ state: 'detached' })
    await context.close()
  })

  it('recovers when the API is killed and started again, and its numbers are the API’s', async () => {
    await service.request('POST', '/api/agents/instant/batch', {
      batch_id: 'survivor',
      tasks: Array.from({ length: 20 }, (_, index) => ({ index })),
      wait: true,
    })
    const { page, context } = await openPage(browser, `${service.api.url}/batches/survivor`)
    await page.locator('[data-recorded="20"]').waitFor()
    await service.api.kill9()
    await page.locator('.pill[data-connection=disconnected]').waitFor()
    await service.api.restart()
    await service.request('POST', '/api/batches/survivor/add-tasks', {
      agent_name: 'failing',
      tasks: [{}, {}, {}],
      wait: true,
    })
    await page.locator('[data-recorded="23"]').waitFor()
    await page.locator('.pill[data-connection=open]').waitFor()
    const { body: grid } = await service.request('GET', '/api/batches/survivor/grid', undefined, JSON_ONLY)
    const figures = await page.locator('.figure').allInnerTexts()
    expect(figures.map((text) => text.replaceAll(/\s+/g, ' '))).to.include.members([
      `Ended ${grid.summary.recorded} of ${grid.summary.total_expected}`,
      `Succeeded ${grid.summary.succeeded}`,
      `Failed ${grid.summary.failed}`,
    ])
    await context.close()
  })

  it('is correct again after the network was down for an hour, twice', async () => {
    const gates = ['one', 'two', 'three'].map((name) => `${name}-${randomUUID()}`)
    const tasks = gates.flatMap((gate) => Array.from({ length: 10 }, (_, value) => ({ gate, value })))
    await service.request('POST', '/api/agents/gated/batch', { batch_id: 'watched', tasks })
    const { page, context, problems } = await openPage(browser, 'about:blank')
    await page.clock.install()
    await page.goto(`http://127.0.0.1:${proxy.port}/batches/watched`)
    const ended = page.locator('[data-recorded]')
    await ended.getByText('0', { exact: true }).waitFor()
    for (const [index, gate] of gates.slice(0, 2).entries()) {
      await page.locator('.pill[data-connection=open]').waitFor()
      proxy.cut()
      await service.open(gate)
      await eventually(
        () => service.request('GET', '/api/batches/watched/grid', undefined, JSON_ONLY),
        ({ body }) => body.summary.recorded === (index + 1) * 10,
      )
      await page.clock.fastForward('01:00:00')
      await page.getByText('From before: the service cannot be reached.').first().waitFor()
      await page.locator('.pill[data-connection=disconnected]').waitFor()
      expect(await ended.innerText(), 'nothing is made up').to.equal(String(index * 10))
      expect(await page.getByText('stalled for').count(), 'what cannot be read is not said to stand still').to.equal(0)
      proxy.mend()
      await page.locator(`[data-recorded="${(index + 1) * 10}"]`).waitFor()
      await page.getByText('From before').first().waitFor({ state: 'detached' })
      await page
        .getByText('created just now')
        .or(page.getByText(/created \d+ (s|min) ago/))
        .waitFor()
    }
    await service.open(gates[2] as string)
    await page.locator('.page-title [data-status=check]').waitFor()
    expect(await ended.innerText()).to.equal('30')
    // Each try that the browser makes in vain is a line in its console.
    expect(problems.filter((line) => !line.startsWith('WebSocket connection to'))).to.deep.equal([])
    await context.close()
  })

  it('shows that no worker hosts the agent of a waiting run until one is back, like the command line', async () => {
    const cli = commandLine({ TROUPE_URL: service.api.url })
    await service.worker.kill9()
    // As if half a minute had gone by since its last beat.
    await service.store.agents.updateMany({}, { $set: { last_seen: new Date(Date.now() - 31_000) } })
    const { body } = await service.request('POST', '/api/prompts', { prompt_name: 'instant', inputs: { n: 1 } })
    const id = body.prompt_id as string
    const { page, context } = await openPage(browser, `${service.api.url}/executions/${id}`)
    const note = page.getByText('No worker hosts instant now')
    await note.waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    expect((await cli.troupe('get', id)).stderr).to.include('No worker hosts instant now')
    const { code, stderr } = await cli.troupe('watch', id, '--timeout', '15s')
    expect(code).to.equal(124)
    expect(stderr.split('No worker hosts instant now'), 'once').to.have.length(2)
    await service.worker.restart()
    await page.locator('.page-title [data-status=check]').waitFor()
    await note.waitFor({ state: 'detached' })
    await context.close()
  })
})
