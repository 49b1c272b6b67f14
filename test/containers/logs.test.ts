import { expect } from 'chai'
import { createContainers, type Containers } from '../../api/containers/containers.ts'
import { MAX_LOG_BYTES } from '../../api/containers/log-reader.ts'
import { stampToUnixTime } from '../../api/containers/since.ts'
import { createLog } from '../../log.ts'
import { startEngine, type TestEngine } from '../support/docker.ts'
import { until } from './until.ts'

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/

describe('logs of a Docker engine', () => {
  let engine: TestEngine
  let containers: Containers

  const logs = async (name: string, tail?: number, since?: string) =>
    containers.logs(await containers.find(name), { tail, since })
  const messages = async (name: string, tail?: number, since?: string) =>
    (await logs(name, tail, since)).map(({ message }) => message)

  before(async function () {
    engine = await startEngine(this)
    containers = createContainers({ dockerHost: engine.address, log: createLog('test', 'silent') })
    await engine.runToEnd({ name: 'numbers', script: 'seq 1 2000' })
    await engine.runToEnd({
      name: 'both',
      script: 'i=0; while [ $i -lt 3000 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done',
    })
    // 40,000 bytes are three records of the engine, and their borders cut a euro sign. The json-file driver stores that as
    // replacement characters: only the local driver keeps the bytes.
    const awkward = (long: string) => `
      echo plain; echo; echo "tab	and \\$ignal"; printf 'a\\377b\\n'
      yes ${long} | head -n 13333 | tr -d '\\n'; echo '|'
      printf '10%%\\r20%%\\n'; printf 'no line feed'`
    await engine.runToEnd({ name: 'awkward', script: awkward('abc') })
    await engine.runToEnd({ name: 'awkward-tty', script: awkward('abc'), tty: true })
    await engine.runToEnd({ name: 'awkward-local', script: awkward('€'), logDriver: 'local' })
  })

  after(() => engine?.stop())

  it('gives the last lines with their stamps', async () => {
    const entries = await logs('numbers', 3)
    expect(entries.map(({ message }) => message)).to.deep.equal(['1998', '1999', '2000'])
    for (const { timestamp } of entries) expect(timestamp).to.match(stamp)
    expect(await logs('numbers', 5_000)).to.have.length(2_000)
    expect(await logs('numbers', 1_000)).to.have.length(1_000)
    expect(await logs('numbers')).to.have.length(2_000)
  })

  it('gives none for tail 0', async () => {
    expect(await logs('numbers', 0)).to.deep.equal([])
  })

  it('gives what came at and after a time, of those the last ones', async () => {
    const all = await logs('numbers')
    const at = stampToUnixTime(all[1_500]?.timestamp ?? '')
    expect(await messages('numbers', undefined, at)).to.deep.equal(
      all.filter(({ timestamp }) => timestamp >= (all[1_500]?.timestamp ?? '')).map(({ message }) => message),
    )
    expect(await messages('numbers', 2, at)).to.deep.equal(['1999', '2000'])
    expect(await messages('numbers', undefined, '32503680000.000000000')).to.deep.equal([])
  })

  it('brings stdout and stderr in the order of their stamps', async () => {
    const entries = await logs('both', 6_000)
    expect(entries).to.have.length(6_000)
    const stamps = entries.map(({ timestamp }) => timestamp)
    expect(stamps).to.deep.equal(stamps.toSorted())
    for (const stream of ['out', 'err']) {
      const own = entries.filter(({ message }) => message.startsWith(stream)).map(({ message }) => message)
      expect(own).to.deep.equal(Array.from({ length: 3_000 }, (_, index) => `${stream} ${index}`))
    }
  })

  for (const name of ['awkward', 'awkward-tty', 'awkward-local']) {
    const long = `${(name.includes('local') ? '€' : 'abc').repeat(13_333)}|`
    const lines = ['plain', '', 'tab\tand $ignal', 'a\ufffdb', long, '10%\r20%', 'no line feed']

    it(`gives every kind of line as it is (${name})`, async () => {
      expect(await messages(name, 100)).to.deep.equal(lines)
    })

    it(`counts lines, not the engine's records (${name})`, async () => {
      for (let tail = 1; tail <= lines.length + 1; tail += 1) {
        expect(await messages(name, tail), `tail ${tail}`).to.deep.equal(lines.slice(-tail))
      }
    })
  }

  it('keeps the runs of a container that was started again apart', async () => {
    const restarted = await engine.runToEnd({ name: 'restarted', script: "printf 'no line feed'" })
    await restarted.start()
    await restarted.wait()
    expect(await messages('restarted', 10)).to.deep.equal(['no line feed', 'no line feed'])
  })

  it('has nothing of a container that never ran', async () => {
    await engine.run({ name: 'created', script: 'echo never', started: false })
    expect(await logs('created', 10)).to.deep.equal([])
  })

  it('says so when the logging driver keeps nothing', async () => {
    await engine.runToEnd({ name: 'unkept', script: 'echo gone', logDriver: 'none' })
    const error: unknown = await logs('unkept', 10).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'not_found')
    expect(error)
      .to.have.property('message')
      .that.matches(/unkept: .*logging driver/)
  })

  it('does not know a container that was removed meanwhile', async () => {
    const removed = await engine.runToEnd({ name: 'removed', script: 'echo gone' })
    const found = await containers.find('removed')
    await removed.remove()
    const error: unknown = await containers
      .logs(found, { tail: 1, since: undefined })
      .catch((thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'not_found')
  })

  it('keeps the newest lines of a log that is too large for memory', async () => {
    const line = 'x'.repeat(999)
    await engine.runToEnd({ name: 'large', script: `yes ${line} | head -n 20000; echo last` })
    const entries = await logs('large')
    expect(entries.at(-1)?.message).to.equal('last')
    expect(entries.length).to.be.within(1_000, 19_999)
    expect(entries.length * line.length).to.be.at.most(MAX_LOG_BYTES)
  })

  it('reads on no longer than somebody waits', async () => {
    const found = await containers.find('large')
    const gone = new AbortController()
    const reading = containers.logs(found, { tail: undefined, since: undefined }, gone.signal)
    await until(async () => (await engine.connections()) > 0)
    gone.abort()
    const error: unknown = await reading.catch((thrown: unknown) => thrown)
    expect(error).to.have.property('code', 'engine_unavailable')
    await until(async () => (await engine.connections()) === 0)
  })

  it('leaves no connection behind', async () => {
    await containers.list()
    await logs('numbers', 1)
    await until(async () => (await engine.connections()) === 0)
  })
})
