import { expect } from 'chai'
import { createContainers, type Containers } from '../../api/containers/containers.ts'
import { createLog } from '../../log.ts'
import { startEngine, type TestEngine } from '../support/docker.ts'

describe('containers of a Docker engine', () => {
  let engine: TestEngine
  let containers: Containers

  before(async function () {
    engine = await startEngine(this)
    containers = createContainers({ dockerHost: engine.address, log: createLog('test', 'silent') })
    const compose = (service: string) => ({
      'com.docker.compose.service': service,
      'com.docker.compose.project': 'shop',
    })
    const forever = 'exec sleep 600'
    await engine.run({ name: 'shop-api-1', script: forever, labels: compose('api') })
    await engine.run({ name: 'shop-worker-1', script: forever, labels: compose('worker') })
    await engine.run({ name: 'shop-db-1', script: forever, labels: compose('db') })
    await engine.run({ name: 'brave_tesla', script: forever, image: 'mongo:8' })
    await engine.run({ name: 'labelled', script: forever, labels: { 'troupe.type': 'worker' } })
    await engine.runToEnd({ name: 'stopped', script: 'exit 3' })
    await engine.run({ name: 'created', script: 'exit 0', started: false })
  })

  after(() => engine?.stop())

  it('lists all of them, stopped ones included, with all fields', async () => {
    const all = await containers.list()
    const told = all.map(({ name, service_name, project_name, type, status, image }) =>
      [name, service_name, project_name, type, status, image].join(' | '),
    )
    expect(told).to.have.members([
      'shop-api-1 | api | shop | api | running | troupe-test:1',
      'shop-worker-1 | worker | shop | worker | running | troupe-test:1',
      'shop-db-1 | db | shop | infrastructure | running | troupe-test:1',
      'brave_tesla | brave_tesla |  | infrastructure | running | mongo:8',
      'labelled | labelled |  | worker | running | troupe-test:1',
      'stopped | stopped |  | other | exited | troupe-test:1',
      'created | created |  | other | created | troupe-test:1',
    ])
    for (const { id, created } of all) {
      expect(id).to.match(/^[0-9a-f]{64}$/)
      expect(created).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  it('finds one by its name, its id, or a long prefix of the id', async () => {
    const { id } = await containers.find('shop-api-1')
    for (const name of [id, id.slice(0, 12), id.slice(0, 63)]) {
      const found = await containers.find(name)
      expect(found).to.include({ id, name: 'shop-api-1', service_name: 'api', project_name: 'shop', type: 'api' })
    }
  })

  it('finds nothing by a short prefix, a part of a name, or what no name can be', async () => {
    const { id } = await containers.find('shop-api-1')
    const names = [id.slice(0, 11), 'shop-api', 'SHOP-API-1', `${id}0`, '', '..', '../info', 'a/b', 'shop-api-1?x', 'ä']
    for (const name of names) {
      const error: unknown = await containers.find(name).catch((thrown: unknown) => thrown)
      expect(error, name).to.have.property('code', 'not_found')
    }
  })
})
