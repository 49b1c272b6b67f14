import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { expect } from 'chai'
import { chromium } from 'playwright-core'
import { needChromium, needNode22 } from './platforms.ts'
import { startTestService, type TestService } from '../support/service.ts'

const execute = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const KEY = 'a-key-of-the-test'
const EXPECTED = {
  outputs: { result: 'LOUD' },
  end: 'completed',
  sameEvents: true,
  summary: { total_expected: 3, recorded: 3, succeeded: 3, failed: 0 },
  refused: 401,
}
const PAGE = `<!doctype html><title>empty project</title>
<script type="importmap">{"imports": {"troupe-client": "/node_modules/troupe-client/client/index.js"}}</script>
<script type="module">import { journey } from '/journey.mjs'; window.journey = journey</script>`

describe('Client: the published package in an empty project', function () {
  this.timeout(180_000)
  let project: string
  let pages: Server
  let origin: string
  let service: TestService

  before(async () => {
    project = await mkdtemp(join(tmpdir(), 'troupe-empty-project-'))
    const built = join(project, 'built')
    await execute(process.execPath, [join(ROOT, 'dev/build-client.ts'), built])
    const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', project, built])
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    await writeFile(join(project, 'package.json'), '{"type": "module"}')
    await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', join(project, filename)], { cwd: project })
    await rm(built, { recursive: true })
    await copyFile(join(import.meta.dirname, 'journey.mjs'), join(project, 'journey.mjs'))
    pages = await servePages(project)
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    service = await startTestService({ env: { SERVICE_API_KEY: KEY, CORS_ORIGIN: origin } })
  })
  after(async () => {
    pages?.close()
    await service?.stop()
    if (project !== undefined) await rm(project, { recursive: true, force: true })
  })

  async function inNode(node: string): Promise<unknown> {
    const given = JSON.stringify({ url: service.api.url, key: KEY })
    const code = `import { journey } from './journey.mjs'
      console.log(JSON.stringify(await journey(${given})))`
    const { stdout, stderr } = await execute(node, ['--input-type=module', '-e', code], { cwd: project })
    expect(stderr).to.equal('')
    return JSON.parse(stdout)
  }

  it('works in this Node, and leaves nothing open', async () => {
    expect(await inNode(process.execPath)).to.deep.equal(EXPECTED)
  })

  it('works in Node 22', async function () {
    expect(await inNode(await needNode22(this))).to.deep.equal(EXPECTED)
  })

  it('works in Chromium, from another origin', async function () {
    const browser = await chromium.launch({ executablePath: needChromium(this), args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      await page.goto(`${origin}/`)
      await page.waitForFunction('window.journey !== undefined')
      const given = JSON.stringify({ url: service.api.url, key: KEY })
      expect(await page.evaluate(`window.journey(${given})`)).to.deep.equal(EXPECTED)
    } finally {
      await browser.close()
    }
  })

  it('gives TypeScript its types, also without those of Node', async () => {
    const user = `import { Troupe, type Schema } from 'troupe-client'
      const troupe = new Troupe({ url: 'http://127.0.0.1' })
      export const status = async (): Promise<'running' | 'completed' | 'failed' | 'canceled'> => (await troupe.prompts.get('x')).status
      export const tokens = (prompt: Schema<'Prompt'>): number => prompt.token_usage.total_tokens
      // @ts-expect-error there is no such field
      export const wrong = async () => (await troupe.prompts.get('x')).statos
      // @ts-expect-error inputs are missing
      export const incomplete = () => troupe.prompts.create({ prompt_name: 'x' })
      export const typed = () => troupe.request('get', '/api/traces/{trace_id}', { path: { trace_id: '1' } })
      // @ts-expect-error the path's parameter is missing
      export const untyped = () => troupe.request('get', '/api/traces/{trace_id}', {})`
    await writeFile(join(project, 'user.ts'), user)
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          noEmit: true,
          strict: true,
          module: 'nodenext',
          target: 'es2022',
          lib: ['es2022', 'dom'],
          types: [],
        },
        files: ['user.ts'],
      }),
    )
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    const run = await execute(tsc, ['-p', project]).catch((error: unknown) => error)
    expect((run as { stdout: string }).stdout).to.equal('')
  })

  it('has no dependencies, and stays small', async () => {
    const folder = join(project, 'node_modules/troupe-client')
    const description = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object
    expect(description).not.to.have.property('dependencies')
    const { stdout } = await execute('sh', ['-c', `cat ${folder}/*/*.js`])
    expect(brotliCompressSync(stdout).length).to.be.below(16_384)
    expect(existsSync(join(folder, 'client/index.d.ts'))).to.equal(true)
  })
})

/** A web server for the files of a project. */
async function servePages(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path === '/') return response.setHeader('content-type', 'text/html').end(PAGE)
    readFile(join(folder, path)).then(
      (text) => response.setHeader('content-type', 'text/javascript').end(text),
      () => response.writeHead(404).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
