import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { judge, type Advisory } from '../../dev/advisories.ts'

const SCRIPT = join(import.meta.dirname, '../../dev/advisories.ts')
const ID = 'GHSA-aaaa-bbbb-cccc'
const KNOWN: Advisory = {
  package: 'koa',
  severity: 'critical',
  title: 'It opens the door',
  url: `https://github.com/advisories/${ID}`,
}

describe('What is known against packages', function () {
  this.timeout(120_000)

  it('fails the check where it is grave, and says what it is', async () => {
    const { code, said, asked } = await check({ severity: 'critical' })
    expect(asked.koa, 'what npm asked about').to.have.length(1)
    expect(said).to.include(`koa: It opens the door (critical), ${KNOWN.url}`)
    expect(code).to.equal(1)
  })

  it('is told where it is not', async () => {
    const { code, said } = await check({ severity: 'low' })
    expect(said).to.include('koa: It opens the door (low)')
    expect(code).to.equal(0)
  })

  it('fails nothing where the registry does not know', async () => {
    const { code, said } = await check({})
    expect(said).to.match(/^Advisories are not known: 405 /)
    expect(code).to.equal(0)
  })

  it('is accepted for a reason, and only as long as it is known', () => {
    const reason = 'we never open that door'
    const accepted = judge([KNOWN], { [ID]: reason })
    expect(accepted.isClean).to.equal(true)
    expect(accepted.lines[0]).to.include(reason)
    const needless = judge([], { [ID]: reason })
    expect(needless.isClean).to.equal(false)
    expect(needless.lines[0]).to.include(ID)
  })
})

/** Runs the check on a registry that has an advisory of this severity against koa, or knows of none at all. */
async function check({ severity }: { severity?: string }) {
  let asked: Record<string, string[]> = {}
  const registry = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    if (request.method !== 'POST' || severity === undefined) return response.writeHead(405).end()
    asked = JSON.parse(gunzipSync(bytes).toString()) as typeof asked
    const { title, url } = KNOWN
    const advisory = { id: 1, title, url, severity, vulnerable_versions: '*', cwe: [], cvss: { score: 9 } }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ koa: [advisory] }))
  })
  // npm keeps what it calculated from an advisory.
  const cache = await mkdtemp(join(tmpdir(), 'troupe-npm-'))
  try {
    return { ...(await run(registry, cache)), asked }
  } finally {
    registry.close()
    await rm(cache, { recursive: true })
  }
}

async function run(registry: Server, cache: string): Promise<{ code: number; said: string }> {
  await once(registry.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  const env = { ...process.env, npm_config_registry: address, npm_config_cache: cache }
  return new Promise((resolve) =>
    execFile(process.execPath, [SCRIPT], { env }, (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stderr }),
    ),
  )
}
