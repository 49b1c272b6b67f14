import { expect } from 'chai'
import { startApi, type ApiProcess } from '../support/processes.ts'
import { eventually, request } from '../support/service.ts'
import { isolated, sharedStack } from '../support/stack.ts'

/** Rejects a promise that nobody awaits, whenever the process is told to. */
const STRAY = `process.on('SIGUSR2',()=>Promise.reject(new/**/Error('stray')))`

describe('An unhandled rejection in the API', function () {
  this.timeout(60_000)
  let api: ApiProcess

  before(async () => {
    const env = { ...isolated(sharedStack()), NODE_OPTIONS: `--import=data:text/javascript,${STRAY}` }
    api = await startApi({ env })
  })
  after(() => api?.stop())

  it('is logged and does not end the process', async () => {
    const { pid } = api
    process.kill(pid ?? 0, 'SIGUSR2')
    const logs = await eventually(
      () => api.logs(),
      (text) => text.includes('unhandled rejection'),
    )
    expect(logs).to.contain('stray')
    expect(api.pid).to.equal(pid)
    expect((await request(api.url, 'GET', '/api/health')).status).to.equal(200)
  })
})
