import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { gone, runCommand } from './command.ts'

describe('npm start', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'troupe-start-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  it('says by whom its port is taken, before it starts anything', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const command = runCommand(process.execPath, ['dev/start.ts'], { DATA_DIR: dataDir, PORT: String(port) })
    expect(await command.ended).to.equal(1)
    expect(command.output()).to.match(new RegExp(`Port ${port} is taken by node.* \\(pid ${process.pid}\\)`))
    expect(command.output()).to.not.include('mongod')
    server.close()
  })

  it('says at once what is wrong with the prices', async () => {
    const file = join(dataDir, 'prices.json')
    for (const [text, sentence] of [
      [undefined, /PRICES_FILE \S+prices\.json cannot be used: ENOENT/],
      ['{', /PRICES_FILE \S+prices\.json cannot be used: .*JSON/],
      ['{"openai/x": {"input": 1}}', /cannot be used: openai\/x.* must have input and output/],
    ] as const) {
      if (text !== undefined) await writeFile(file, text)
      const env = { DATA_DIR: dataDir, PORT: '0', PRICES_FILE: file }
      const command = runCommand(process.execPath, ['dev/start.ts'], env)
      expect(await command.ended).to.equal(1)
      expect(command.output()).to.match(sentence).and.not.include('mongod')
    }
  })

  it('says at once why a process of its own ended at its start', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const env = { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: String(port - 1) }
    const command = runCommand(process.execPath, ['dev/start.ts'], env)
    await command.printed(/temporal +\S+ \(pid/)
    const readyAt = Date.now()
    expect(await command.ended).to.equal(1)
    expect(command.output()).to.match(/worker ended at its start \(exit code 1\)[^]*ADMIN_PORT/)
    expect(Date.now() - readyAt).to.be.below(40_000)
    taken.close()
  })

  it('ends with a call that works, starts again what dies, and stops in order', async () => {
    const command = runCommand(process.execPath, ['dev/start.ts'], { DATA_DIR: dataDir, PORT: '0' })
    const [, line] = await command.printed(/First call +(curl .*)\n/)
    const curl = runCommand('/bin/sh', ['-c', line!], {})
    expect(await curl.ended).to.equal(0)
    expect(JSON.parse(curl.output())).to.include({ status: 'completed' })

    for (const name of ['api', 'worker']) {
      const [, pid] = await command.printed(new RegExp(`${name} +ready \\(pid (\\d+)`))
      process.kill(Number(pid), 'SIGKILL')
      await command.printed(new RegExp(`${name} is back`))
    }
    const [, url] = await command.printed(/Address +(\S+)/)
    expect((await fetch(`${url}/api/health`)).status).to.equal(200)

    const pids = [...command.output().matchAll(/\(pid (\d+)/g)].map(([, pid]) => Number(pid))
    command.signal('SIGINT')
    expect(await command.ended).to.equal(0)
    expect(command.output()).to.include('Stopped.')
    await Promise.all(pids.map(gone))
  })

  it('is ready with keys that are in a file alone, and says how a call is made then', async () => {
    const file = join(dataDir, 'keys.json')
    await writeFile(file, JSON.stringify([{ name: 'ann', key: 'a-key-of-ann', role: 'submit' }]))
    const env = { DATA_DIR: dataDir, PORT: '0', API_KEYS_FILE: file }
    const command = runCommand(process.execPath, ['dev/start.ts'], env)
    const [, line] = await command.printed(/First call +(curl .*)\n/)
    const curl = runCommand('/bin/sh', ['-c', line!.replace('<a key of API_KEYS_FILE>', 'a-key-of-ann')], {})
    expect(await curl.ended).to.equal(0)
    expect(JSON.parse(curl.output())).to.include({ status: 'completed' })
    command.signal('SIGINT')
    expect(await command.ended).to.equal(0)
  })
})
