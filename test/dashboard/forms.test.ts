import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { commandLine } from '../cli/command.ts'
import { TEST_AGENTS, untilEnded } from '../support/service.ts'
import { axeProblems } from './browser.ts'
import { dashboardScene } from './scene.ts'

const AGENTS = ['../contract/agents', 'agents'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

describe('Forms made of what an agent takes', function () {
  this.timeout(120_000)

  const scene = dashboardScene({ agentsDir: [TEST_AGENTS, ...AGENTS].join() })
  const { open } = scene

  it('have a field for each, begin with the defaults, and say which one is wrong', async () => {
    const { page, context, problems } = await open('/playground?agent=scorer')
    const times = page.getByRole('textbox', { name: /^times/ })
    expect(await times.inputValue()).to.equal('2')
    await times.fill('two')
    await page.getByText('times must be a whole number').waitFor()
    expect(await times.getAttribute('aria-invalid')).to.equal('true')
    expect(await axeProblems(page)).to.deep.equal([])
    await times.fill('3')
    // What the service refuses is told at its field, and is gone with the next change.
    await page.keyboard.press('Control+Enter')
    await page.getByText('text is missing').waitFor()
    await page.getByRole('alert').getByText("inputs must have required property 'text'").waitFor()
    await page.getByRole('textbox', { name: /^text/ }).fill('7')
    expect(await page.getByText('text is missing').count()).to.equal(0)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/run=/)
    const id = new URL(page.url()).searchParams.get('run') ?? ''
    const { body } = await untilEnded(scene.service, id)
    expect(body.inputs, 'text stays text, a number is one').to.deep.equal({ text: '7', times: 3 })
    expect(body.outputs).to.deep.equal({ score: 3 })
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('are the same inputs as their JSON, also those that the schema does not name', async () => {
    const { page, context } = await open('/playground?agent=scorer')
    await page.getByRole('button', { name: 'JSON' }).click()
    await page.getByLabel('Inputs as JSON').fill('{"text": "a", "times": 1.5, "more": [1]}')
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    await page.getByText('times must be a whole number').waitFor()
    await page.getByText('Only in the JSON: more').waitFor()
    await page.getByRole('textbox', { name: /^answer/ }).fill('{"score": 1}')
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = await page.getByLabel('Inputs as JSON').inputValue()
    expect(JSON.parse(json)).to.deep.equal({ text: 'a', times: 1.5, answer: { score: 1 }, more: [1] })
    // Another agent is asked by what it takes: any inputs.
    await page.getByLabel('Agent 1').selectOption('upper')
    await page.getByRole('button', { name: 'Fields' }).waitFor()
    await context.close()
  })

  it('know fields by any name, and keep every digit of a number from the form to the answer', async () => {
    const { page, context, problems } = await open('/playground?agent=hard-names')
    const field = (name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) })
    for (const name of ['constructor', 'toString', '__proto__']) expect(await field(name).inputValue()).to.equal('')
    expect(await page.locator('.field-problem:not(:empty)').count(), 'nothing is wrong yet').to.equal(0)
    await field('toString').fill('9007199254740993')
    await field('constructor').fill('Ada')
    expect(await field('toString').inputValue()).to.equal('9007199254740993')
    await field('__proto__').fill('x')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/run=/)
    const id = new URL(page.url()).searchParams.get('run') ?? ''
    await untilEnded(scene.service, id)
    await page.goto(`${scene.service.api.url}/executions/${id}?tab=data`)
    for (const panel of ['Input', 'Output']) {
      const tree = page.getByRole('region', { name: panel }).getByRole('group')
      await tree.getByText('9007199254740993').waitFor()
      expect(await tree.innerText())
        .to.include('Ada')
        .and.include('__proto__')
    }
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('both schemas stand on the page of the agent, and in the command line', async () => {
    const { page, context } = await open('/agents/scorer')
    const takes = page.getByRole('region', { name: 'Takes' })
    await takes.getByText('whole number, optional').waitFor()
    await page.getByRole('region', { name: 'Gives' }).getByText('whole number').waitFor()
    await takes.getByText('JSON Schema').click()
    await takes.getByText('properties').waitFor()
    await page.getByText('It takes other inputs than a message').waitFor()
    expect(await axeProblems(page)).to.deep.equal([])
    await context.close()
    const { troupe } = commandLine({ TROUPE_URL: scene.service.api.url })
    const [known, unknown] = [await troupe('agents', 'scorer'), await troupe('agents', 'nobody')]
    expect(known.stdout)
      .to.match(/^input\t\{.*"times"/m)
      .and.match(/^output\t\{.*"score"/m)
    expect([known.code, unknown.code]).to.deep.equal([0, 4])
  })
})
