import { expect } from 'chai'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

describe('The key of the dashboard', function () {
  this.timeout(120_000)
  const key = 'right-key-of-the-test'

  const scene = dashboardScene({ env: { SERVICE_API_KEY: key } })

  it('is asked for once, refused when it is wrong, and stays out of addresses, streams included', async () => {
    const { page, context, addresses, problems } = await scene.open('/executions?agent=x')
    const field = page.getByLabel('API key')
    await field.waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await field.fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('did not accept this key').waitFor()
    await field.fill(key)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('No execution fits the filter').waitFor()
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

  it('is forgotten with the tab unless it shall be remembered, and on demand at once', async () => {
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
