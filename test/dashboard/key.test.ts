import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

describe('The key of the dashboard', function () {
  this.timeout(120_000)
  const key = 'right-key-of-the-test'

  const scene = dashboardScene({ env: { SERVICE_API_KEY: key } })

  it('is requested once, rejected when it is invalid, and never part of a URL, even for streams', async () => {
    const { page, context, addresses, problems } = await scene.open('/executions?agent=x')
    const field = page.getByLabel('API key')
    await field.waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await field.fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('did not accept this key').waitFor()
    await field.fill(key)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Nothing was ever submitted').waitFor()
    await page.locator('[data-connection=open]').waitFor()
    await page.reload()
    await page.locator('[data-connection=open]').waitFor()
    expect(await field.count()).to.equal(0)
    const sockets = addresses.filter((address) => address.startsWith('ws'))
    expect(sockets).to.have.length.at.least(2)
    for (const address of sockets) expect(new URL(address).searchParams.get('ticket')).to.be.a('string')
    expect(addresses.filter((address) => address.includes(key))).to.deep.equal([])
    expect(problems.filter((problem) => !problem.includes('WebSocket'))).to.deep.equal([])
    expect(await scene.service.api.logs()).to.not.include(key)
    await context.close()
  })

  it('is forgotten with the tab unless it is to be remembered, or at once on request', async () => {
    const { page, context } = await scene.open('/')
    await page.getByLabel('API key').fill(key)
    await page.getByLabel('Remember on this device').check()
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Nothing has run yet').waitFor()
    const other = await context.newPage()
    await other.goto(scene.service.api.url)
    await other.getByText('Nothing has run yet').waitFor()
    await other.getByLabel('Settings').click()
    await other.getByRole('link', { name: 'Keys and deletion' }).click()
    await other.getByText('has the role').waitFor()
    await other.getByRole('button', { name: 'Forget the key on this device' }).click()
    await other.getByLabel('API key').waitFor()
    expect(await other.evaluate(() => localStorage.getItem('troupe.key'))).to.equal(null)
    await context.close()
  })
})

describe('Named keys in the dashboard', function () {
  this.timeout(120_000)
  const key = 'reading-key-of-the-test'
  const file = join(tmpdir(), `troupe-keys-${randomUUID()}.json`)

  before(() =>
    writeFile(
      file,
      JSON.stringify([
        { name: 'wall', key, role: 'read' },
        { name: 'nightly', key: `${key}-2`, role: 'submit', agents: ['instant'], weight: 0.5 },
        { name: 'lena', key: `${key}-3`, role: 'admin' },
      ]),
    ),
  )
  const scene = dashboardScene({ env: { API_KEYS_FILE: file, SERVICE_API_KEY: `${key}-0` } })
  after(() => rm(file, { force: true }))

  /** A page that has this key. */
  const openWith = async (path: string, own: string) => {
    const { page, context } = await scene.open('/service')
    await page.getByLabel('API key').fill(own)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('has the role').waitFor()
    await page.goto(scene.service.api.url + path)
    return { page, context }
  }

  it('enable only the actions that their role permits', async () => {
    const submit = (path: string, body: object) =>
      fetch(scene.service.api.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': `${key}-3` },
        body: JSON.stringify(body),
      }).then((response) => response.json() as Promise<{ prompt_id: string }>)
    const { prompt_id: id } = await submit('/api/prompts', { prompt_name: 'failing', inputs: {} })
    await submit('/api/agents/failing/batch', { tasks: [{}], batch_id: 'one', wait: true })
    const buttons = { reader: [] as string[], submitter: [] as string[] }
    for (const [who, own] of [
      ['reader', key],
      ['submitter', `${key}-2`],
    ] as const) {
      const { page, context } = await openWith(`/executions/${id}`, own)
      await page.getByText('Download', { exact: true }).waitFor()
      await page.locator('.status', { hasText: 'failed' }).first().waitFor()
      const names = ['Replay', 'Run all 1 again as a new batch', 'New batch from a file']
      const paths = [`/executions/${id}`, '/batches/one', '/batches']
      for (const [index, path] of paths.entries()) {
        await page.goto(scene.service.api.url + path)
        await page
          .locator('.status', { hasText: /failed|completed/ })
          .first()
          .waitFor()
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
        await page.waitForLoadState('networkidle')
        const name = names[index] ?? ''
        const found = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
        if ((await found.count()) > 0) buttons[who].push(name)
      }
      await page.goto(`${scene.service.api.url}/playground?agent=instant`)
      const run = page.getByRole('button', { name: 'Run (Ctrl+Enter)' })
      await run.waitFor()
      if (who === 'reader') await page.getByText('Your key may look, and not submit').waitFor()
      expect(await run.isDisabled()).to.equal(who === 'reader')
      await context.close()
    }
    expect(buttons.reader).to.deep.equal([])
    expect(buttons.submitter).to.have.length(3)
  })

  it('are listed for an admin by name, role and agents, never as they are', async () => {
    const { page, context } = await openWith('/service', `${key}-3`)
    const table = page.getByRole('region', { name: 'Table of keys' })
    await table.getByRole('row', { name: /nightly submit instant 0\.5/ }).waitFor()
    expect(await page.locator('main').innerText()).to.not.include(key)
    expect(await axeProblems(page)).to.deep.equal([])
    await context.close()
    const reader = await openWith('/service', key)
    await reader.page.getByText('wall has the role read').waitFor()
    expect(await reader.page.getByText('All keys').count()).to.equal(0)
    await reader.context.close()
  })
})
