import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { saySilently } from '../../dev/say.ts'
import { buildDashboard } from '../../dashboard/build/build-dashboard.ts'
import { needDebianProgram } from '../observability/debian-program.ts'

const NAMES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Runs in the page, before anything of its own. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('Content-Security-Policy: ' + violatedDirective + ' ' + blockedURI))`

/** A page, and everything about it that should not have happened. */
export interface Watched {
  page: Page
  context: BrowserContext
  /** Errors in its console, exceptions, breaches of its Content-Security-Policy. */
  problems: string[]
  /** Addresses that it asked for, those of WebSockets included. */
  addresses: string[]
}

/**
 * A browser for the tests of a file, and the built dashboard. Chromium is the one named by CHROMIUM, one of the machine's, or
 * Debian's, which is installed.
 */
export async function startBrowser(context: Mocha.Context): Promise<Browser> {
  const known = process.env.CHROMIUM ?? NAMES.find((path) => existsSync(path))
  if (known === undefined) await needDebianProgram(context, '/usr/bin/chromium', 'chromium')
  await buildDashboard(saySilently)
  return chromium.launch({ executablePath: known ?? '/usr/bin/chromium', args: SWITCHES })
}

/** Opens a page in a context of its own: nothing is stored from before. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const problems: string[] = []
  const addresses: string[] = []
  page.on('console', (message) => {
    // The browser's own line about an answer that is no 200; the tests look at the answers.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => addresses.push(request.url()))
  page.on('websocket', (socket) => addresses.push(socket.url()))
  await page.addInitScript(REPORT_VIOLATIONS)
  await page.goto(url)
  return { page, context, problems, addresses }
}

/** What axe finds wrong with a page as it is now, a line each. */
export async function axeProblems(page: Page): Promise<string[]> {
  // The page's policy lets no script in; the browser's own world is not bound by it.
  await page.evaluate(await readAxe())
  const results = await page.evaluate(
    (rules) =>
      (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({ runOnly: rules }),
    RULES,
  )
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ')}`),
  )
}

let axeText: Promise<string> | undefined

function readAxe(): Promise<string> {
  axeText ??= import('node:fs/promises').then(({ readFile }) => readFile(AXE, 'utf8'))
  return axeText
}
