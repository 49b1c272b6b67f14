import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { expect } from 'chai'
import { createContainers, type Containers } from '../../api/containers/containers.ts'
import type { LogEntry } from '../../contracts/containers.ts'
import { createLog } from '../../log.ts'
import { startEngine, type TestContainer, type TestEngine } from '../support/docker.ts'
import { until } from './until.ts'

// As fast as a shell can: some hundred thousand lines a second.
const flood = 'i=0; while :; do echo line $i; i=$((i+1)); done'

describe('followed logs of a Docker engine', () => {
  let engine: TestEngine
  let containers: Containers

  const follow = async (name: string, tail?: number, since?: string): Promise<Readable> =>
    containers.follow(await containers.find(name), { tail, since })
  const run = (name: string, script: string, more: Partial<TestContainer> = {}) => engine.run({ name, script, ...more })
  const released = () => until(async () => (await engine.connections()) === 0)

  before(async function () {
    engine = await startEngine(this)
    containers = createContainers({ dockerHost: engine.address, log: createLog('test', 'silent') })
  })

  after(() => engine?.stop())

  for (const tty of [false, true]) {
    it(`gives the last lines, then each new one, until the container ends (${tty ? 'TTY' : 'no TTY'})`, async () => {
      const name = `steps${tty ? '-tty' : ''}`
      await run(name, 'seq 1 50; while [ ! -e /go ]; do sleep 0.05; done; seq 51 60; echo end', { tty })
      await until(
        async () => (await containers.logs(await containers.find(name), { tail: 50, since: undefined })).length === 50,
      )
      const lines = await follow(name, 3)
      const seen: string[] = []
      for await (const { message } of lines as AsyncIterable<LogEntry>) {
        seen.push(message)
        if (message === '50') await touch(engine, name, '/go')
      }
      expect(seen).to.deep.equal([...Array.from({ length: 13 }, (_, index) => String(48 + index)), 'end'])
      await released()
    })
  }

  it('begins with whole lines where long ones are several records', async () => {
    await engine.runToEnd({
      name: 'long',
      script: 'for i in 1 2 3 4; do yes $i | head -n 30000 | tr -d "\\n"; echo; done',
    })
    for (const [tail, expected] of [
      [2, ['3', '4']],
      [4, ['1', '2', '3', '4']],
      [9, ['1', '2', '3', '4']],
    ] as const) {
      const entries = await (await follow('long', tail)).toArray()
      expect(entries.map(({ message }: LogEntry) => message)).to.deep.equal(
        expected.map((digit) => digit.repeat(30_000)),
      )
    }
  })

  it('contain stdout and stderr, each in order', async () => {
    await run('both', 'sleep 0.3; i=0; while [ $i -lt 5000 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done')
    const messages = (await (await follow('both', 100)).toArray()).map(({ message }: LogEntry) => message)
    expect(messages).to.have.length(10_000)
    for (const stream of ['out', 'err']) {
      const own = messages.filter((message) => message.startsWith(stream))
      expect(own).to.deep.equal(Array.from({ length: 5_000 }, (_, index) => `${stream} ${index}`))
    }
  })

  it('gives only what is new for tail 0, and the past after a time without one', async () => {
    await engine.runToEnd({ name: 'past', script: 'seq 1 500' })
    expect(await (await follow('past', 0)).toArray()).to.deep.equal([])
    expect(await (await follow('past', undefined, '1.000000000')).toArray()).to.have.length(500)
    expect(await (await follow('past', undefined, '32503680000.000000000')).toArray()).to.deep.equal([])
  })

  it('misses no line of a container that floods, and releases the engine when it is left', async () => {
    await run('flood', flood)
    await until(
      async () => (await containers.logs(await containers.find('flood'), { tail: 1, since: undefined })).length === 1,
    )
    const lines = await follow('flood', 100)
    let expected: number | undefined
    let count = 0
    for await (const { message } of lines as AsyncIterable<LogEntry>) {
      const number = Number(message.slice('line '.length))
      expect(number).to.equal(expected ?? number)
      expected = number + 1
      count += 1
      if (count === 50_000) break
    }
    expect(lines.destroyed).to.equal(true)
    await released()
  })

  it('is read no faster than its reader reads', async () => {
    const lines = await follow('flood', 10)
    lines.on('readable', () => undefined)
    await until(() => lines.readableLength >= lines.readableHighWaterMark)
    const { LogPath: logFile } = await engine.docker.getContainer('flood').inspect()
    const grownBytes = (await stat(logFile)).size + 67_108_864
    const before = process.memoryUsage()
    await until(async () => (await stat(logFile)).size > grownBytes)
    const after = process.memoryUsage()
    expect(lines.readableLength).to.be.at.most(lines.readableHighWaterMark)
    expect(after.heapUsed + after.external - before.heapUsed - before.external).to.be.below(16_777_216)
    lines.destroy()
    await released()
    await engine.docker.getContainer('flood').kill()
  })

  it('releases an engine that is silent', async () => {
    await run('silent', 'exec sleep 600')
    const lines = await follow('silent', 10)
    lines.on('data', () => undefined)
    await until(async () => (await engine.connections()) === 1)
    lines.destroy()
    await released()
  })
})

async function touch(engine: TestEngine, name: string, path: string): Promise<void> {
  const exec = await engine.docker.getContainer(name).exec({ Cmd: ['/bin/touch', path] })
  await exec.start({ Detach: true })
}
