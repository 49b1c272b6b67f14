import Docker, { type Container } from 'dockerode'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProviderServer } from '../support/provider-server.ts'
import { startProxy } from '../support/proxy.ts'
import { answerAsker, persistently, type Part, type Topology, type Wire } from './topology.ts'

/** Services of docker-compose.yml that are broken, by what they are. */
const KINDS: Record<string, Part['kind']> = {
  ...{ api: 'api', worker: 'worker', 'worker-machines': 'worker' },
  ...{ temporal: 'server', postgres: 'server', s3: 'server', proxy: 'server' },
  ...{ 'mongo-1': 'server', 'mongo-2': 'server', 'mongo-3': 'server' },
}
/** Networks off which a container is taken: those on which it reaches others, or is reached. */
const NETWORKS = ['troupe_servers', 'troupe_temporal-database']
const PROVIDER = { host: '0.0.0.0', port: 9100 }
const END_SECONDS = 30
const HEALTHY_WITHIN_MS = 240_000

/**
 * The topology of docker-compose.yml, seen from a container among its others that rules their engine. Disks and clocks stay as
 * they are; the wires are those of the clients.
 */
export async function joinCompose(folder: string): Promise<Topology> {
  const { DOCKER_SOCKET_PATH: socketPath = '', TEST_FOLDER: effects = '' } = process.env
  const docker = new Docker({ socketPath })
  const provider = await startProviderServer(answerAsker, PROVIDER)
  const wires: Wire[] = []
  for (const name of ['client-0', 'client-1']) {
    wires.push({ name: `${name}-proxy`, from: name, proxy: await startProxy(80, 'proxy') })
  }
  const label = 'com.docker.compose.service'
  const found = await docker.listContainers({ filters: { label: [label] } })
  const members = await Promise.all(
    found
      .filter(({ Labels: labels }) => KINDS[labels[label] ?? ''] !== undefined)
      .map(async ({ Id: id, Labels: labels }) => {
        const service = labels[label] ?? ''
        const name = `${service}-${labels['com.docker.compose.container-number']}`
        return { name, id, service, part: await partOf(docker, docker.getContainer(id), name, service) }
      }),
  )
  const parts = members.map(({ part }) => part).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const env = process.env as Record<string, string>
  const endService = async () => {
    for (const { name, id, part } of members.filter(({ part }) => part.kind !== 'server')) {
      await part.end()
      const log = await docker.getContainer(id).logs({ stdout: true, stderr: true, tail: 50_000 })
      await writeFile(join(folder, `${name}.log`), log)
    }
  }
  return {
    ...{ env, provider, parts, wires, effects, endService, disks: {}, clocks: [] },
    urls: wires.map(({ proxy }) => `http://127.0.0.1:${proxy.port}`),
    direct: ['http://proxy'],
    // A container's host name is how its id begins.
    nameOf: (process) => members.find(({ id }) => id.startsWith(process.split(':')[0] ?? ''))?.name,
    stop: async () => {
      await Promise.all(wires.map(({ proxy }) => proxy.close()))
      await provider.close()
    },
  }
}

async function partOf(docker: Docker, container: Container, name: string, service: string): Promise<Part> {
  const { NetworkSettings: settings } = await container.inspect()
  const networks = NETWORKS.filter((network) => settings.Networks[network] !== undefined)
  const start = () =>
    persistently(async () => {
      await container.start().catch(unlessSo)
      await untilHealthy(container)
    })
  return {
    name,
    kind: KINDS[service] ?? 'server',
    pid: undefined,
    kill: () => container.kill({ signal: 'SIGKILL' }).catch(unlessSo),
    end: () => container.stop({ t: END_SECONDS }).catch(unlessSo),
    start,
    freeze: () => container.pause().catch(unlessSo),
    thaw: () => container.unpause().catch(unlessSo),
    isolate: async () => {
      for (const network of networks)
        await docker.getNetwork(network).disconnect({ Container: container.id, Force: true })
    },
    rejoin: async () => {
      const EndpointConfig = { Aliases: [service, name] }
      for (const network of networks)
        await docker.getNetwork(network).connect({ Container: container.id, EndpointConfig })
    },
  }
}

/** A container that is already as it is wanted. */
function unlessSo(error: { statusCode?: number }): void {
  if (error.statusCode !== 304 && error.statusCode !== 409) throw error
}

async function untilHealthy(container: Container): Promise<void> {
  for (const until = Date.now() + HEALTHY_WITHIN_MS; Date.now() < until; await sleep(500)) {
    const { State: state } = await container.inspect()
    if (state.Running && state.Health?.Status === 'healthy') return
  }
  throw new Error(`${container.id} is not healthy.`)
}
