import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { commandLine } from '../cli/command.ts'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { axeProblems, openPage, startBrowser } from './browser.ts'

const WORDS = Array.from({ length: 40 }, (_, index) => `word-${index} `)
const TEXT = WORDS.join('')

describe('Live model output in the dashboard', function () {
  this.timeout(180_000)
  let service: TestService
  let provider: ProviderServer
  let browser: Browser
  let proxy: Proxy
  /** The model begins when somebody looks, however long that takes. */
  let watched = Promise.resolve()

  before(async function () {
    browser = await startBrowser(this)
    const answer = { reasoning: 'Let me think.', text: TEXT, everyMs: 120, pausesMs: 3_000 }
    provider = await startProviderServer(async () => {
      await watched
      return answer
    })
    const env = { OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_API_KEY: 'test-key' }
    service = await startTestService({ env })
    proxy = await startProxy(service.api.port)
  })
  after(async () => {
    await browser?.close()
    await proxy?.close()
    await service?.stop()
    await provider?.close()
  })

  const submit = async (): Promise<string> => {
    const { body } = await service.request('POST', '/api/prompts', {
      prompt_name: 'provider',
      inputs: { query: 'Why?' },
    })
    return body.prompt_id as string
  }
  const live = (page: Page) => page.getByRole('region', { name: 'What is written now' })
  const words = (page: Page) => live(page).getByRole('group', { name: 'What provider writes' })

  it('is shown below the timeline, survives a lost connection, and is replaced by the event of the call', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    watched = promise
    const id = await submit()
    const { page, context, problems } = await openPage(browser, `http://127.0.0.1:${proxy.port}/executions/${id}`)
    await page.getByRole('row', { name: /agent provider/ }).waitFor()
    resolve()
    await live(page).getByText('thinks').waitFor()
    expect(await words(page).innerText()).to.include('Let me')
    await live(page).getByText('writes').waitFor()
    const before = await words(page).innerText()
    expect(TEXT.startsWith(before.trimEnd())).to.equal(true)
    await page.locator('.pill[data-connection=open]').waitFor()
    proxy.cut()
    await page.locator('.pill[data-connection=disconnected]').waitFor()
    proxy.mend()
    const after = await eventually(
      () => words(page).innerText(),
      (text) => text.length > before.length + 30,
    )
    expect(TEXT.startsWith(after.trimEnd()), 'nothing twice, nothing left out').to.equal(true)
    expect(await axeProblems(page)).to.deep.equal([])
    await page.getByRole('row', { name: /model test-model/ }).waitFor()
    await live(page).waitFor({ state: 'detached' })
    expect(problems.filter((problem) => !problem.includes('WebSocket'))).to.deep.equal([])
    await context.close()
  })

  it('is shown in the playground and the chat until the response is complete', async () => {
    const { page, context } = await openPage(browser, `${service.api.url}/playground?agent=provider`)
    await page.getByLabel('query').fill('Why?')
    await page.keyboard.press('Control+Enter')
    await words(page).getByText('word-3').waitFor()
    await page.locator('.answer', { hasText: TEXT.trim() }).waitFor()
    expect(await live(page).count()).to.equal(0)
    await page.goto(`${service.api.url}/agents/provider`)
    await page.getByLabel('Message').fill('Why?')
    await page.keyboard.press('Enter')
    await page.locator('.chat-theirs [data-live]', { hasText: 'word-3' }).waitFor()
    await page.locator('.chat-theirs[data-status=completed]', { hasText: TEXT.trim() }).waitFor()
    await context.close()
  })

  it('is printed by the command line for runs and chats', async () => {
    const { troupe } = commandLine({ TROUPE_URL: service.api.url })
    const [run, chat] = await Promise.all([
      troupe('run', 'provider', '-t', 'Why?', '--live'),
      troupe('chat', 'provider', 'Why?', '--live'),
    ])
    expect([run.code, run.stdout]).to.deep.equal([0, `${TEXT}\n`])
    expect(run.stderr).to.include('word-1 word-2 word-3')
    expect([chat.code, chat.stdout.split('word-7 ').length - 1]).to.deep.equal([0, 1])
    expect(chat.stdout).to.match(/word-39 \n$/)
    const id = await submit()
    await untilEnded(service, id)
  })
})
