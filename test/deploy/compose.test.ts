import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'

interface Service {
  image: string
  networks?: string[]
  network_mode?: string
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  volumes?: string[]
  environment?: Record<string, string | null>
}

interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean } | null>
}

const ROOT = join(import.meta.dirname, '../..')

describe('docker-compose.yml', () => {
  let compose: Compose

  const read = async (file: string): Promise<Compose> =>
    parse(await readFile(join(ROOT, file), 'utf8'), { merge: true }) as Compose

  before(async () => {
    compose = await read('docker-compose.yml')
  })

  const membersOf = (network: string): string[] =>
    Object.entries(compose.services).flatMap(([name, { networks = [] }]) => (networks.includes(network) ? [name] : []))

  it('shows each part only those that it works with', () => {
    expect(membersOf('entrance')).to.have.members(['proxy', 'api'])
    expect(membersOf('temporal-database')).to.have.members(['postgres', 'temporal', 'temporal-schema'])
    expect(membersOf('outside')).to.have.members(['api', 'worker', 'worker-machines'])
    expect(membersOf('pages')).to.have.members(['temporal-ui'])
    expect(compose.networks.servers).to.deep.equal({ internal: true })
    expect(compose.networks['temporal-database']).to.deep.equal({ internal: true })
  })

  it('leaves no part on a network that is not named', () => {
    for (const [name, { networks, network_mode }] of Object.entries(compose.services)) {
      expect((networks ?? []).length > 0 || network_mode !== undefined, name).to.equal(true)
      for (const network of networks ?? []) expect(compose.networks, name).to.have.property(network)
    }
  })

  it('publishes nothing but the proxy and the pages, and those on this machine unless it is told otherwise', () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
    expect(published.map(([name]) => name)).to.have.members(['proxy', 'temporal-ui'])
    for (const [name, { ports = [] }] of published) {
      for (const port of ports) expect(port, name).to.match(/^\$\{\w+:-127\.0\.0\.1:\d+\}:\d+$/)
    }
  })

  it('gives no part more rights than it needs', () => {
    const writable = Object.entries(compose.services).filter(([, { read_only }]) => read_only !== true)
    // The page server's entrypoint writes its configuration beside its program; the steps end within seconds.
    expect(writable.map(([name]) => name)).to.have.members(['temporal-ui', 'temporal-schema', 'temporal-namespace'])
    for (const [name, { cap_drop, security_opt, cap_add, volumes = [] }] of Object.entries(compose.services)) {
      expect(cap_drop, name).to.deep.equal(['ALL'])
      expect(security_opt, name).to.deep.equal(['no-new-privileges:true'])
      if (!['proxy', 'postgres'].includes(name)) expect(cap_add, name).to.equal(undefined)
      for (const volume of volumes) expect(volume, name).not.to.contain('docker.sock')
    }
  })

  it('gives the administrators of the servers to the steps that need them, and not to the service', () => {
    for (const name of ['api', 'worker', 'worker-machines']) {
      const text = JSON.stringify(compose.services[name]?.environment)
      expect(text, name).not.to.match(/ROOT|POSTGRES_PASSWORD|KEYFILE/)
    }
  })

  it('tells the API too what the workers keep to', () => {
    for (const name of ['api', 'worker', 'worker-machines']) {
      const settings = ['EXECUTION_RETENTION_DAYS', 'LIMITS', 'TRACE_RETENTION_DAYS']
      expect(compose.services[name]?.environment, name).to.include.keys(settings)
    }
  })

  it('keeps its optional files as narrow', async () => {
    for (const file of ['deploy/container-logs.yml', 'deploy/metrics.yml']) {
      const { services, networks = {} } = await read(file)
      const known = { ...compose.networks, ...networks }
      for (const [name, service] of Object.entries(services)) {
        for (const network of service.networks ?? []) expect(known, name).to.have.property(network)
        if (name === 'api') continue
        expect(service, name).to.deep.include({ read_only: true, cap_drop: ['ALL'] })
      }
    }
    const { services } = await read('deploy/container-logs.yml')
    expect(services['engine-reader']?.networks).to.deep.equal(['engine'])
  })
})
