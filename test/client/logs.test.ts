import { expect } from 'chai'
import { Troupe, TroupeError } from '../../client/index.ts'
import { startEngine, type TestEngine } from '../support/docker.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { startTestService, type TestService } from '../support/service.ts'

const LINES = 400

describe('Client: container logs', function () {
  this.timeout(120_000)
  let engine: TestEngine
  let service: TestService
  let proxy: Proxy
  let troupe: Troupe
  before(async function () {
    engine = await startEngine(this)
    service = await startTestService({ env: { DOCKER_HOST: engine.address } })
    proxy = await startProxy(service.api.port)
    troupe = new Troupe({ url: `http://127.0.0.1:${proxy.port}` })
  })
  after(async () => {
    await proxy?.close()
    await service?.stop()
    await engine?.stop()
  })

  it('yields each line once until the container ends, even when the network is cut', async () => {
    // Several lines at once bear stamps that are close to each other.
    const script = `i=0; while [ $i -lt ${LINES} ]; do for j in 1 2 3 4; do echo line $i; i=$((i+1)); done; sleep 0.02; done`
    await engine.run({ name: 'counting', script })
    const seen: string[] = []
    let cuts = 0
    for await (const { message } of troupe.containers.follow('counting', { tail: LINES })) {
      seen.push(message)
      if (seen.length < (cuts + 1) * 60) continue
      cuts++
      proxy.cut()
      setTimeout(() => proxy.mend(), 100)
    }
    expect(seen).to.deep.equal(Array.from({ length: LINES }, (_, number) => `line ${number}`))
    expect(cuts).to.be.at.least(2)
  })

  it('lists containers, and gives the last lines of one', async () => {
    await engine.runToEnd({ name: 'short', script: 'echo one; echo two' })
    const { containers } = await troupe.containers.list()
    expect(containers.map(({ name }) => name)).to.include('short')
    const { logs } = await troupe.containers.log('short', { tail: 1 })
    expect(logs.map(({ message }) => message)).to.deep.equal(['two'])
  })

  it('throws the HTTP error for an unknown container', async () => {
    const failure = await troupe.containers
      .follow('no-such-container')
      .next()
      .catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(TroupeError).and.have.property('status', 404)
  })
})
