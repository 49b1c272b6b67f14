import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import Docker from 'dockerode'
import { ManagedProcess } from '../../dev/managed-process.ts'
import { sayToTerminal, withReminders } from '../../dev/say.ts'
import { plainEnvironment } from '../../dev/servers/server-options.ts'

export interface TestContainer {
  /** Random unless it was given. */
  name?: string
  /** What its shell runs; the tools are busybox's. Pid 1 of the container: `exec` what shall get the signals. */
  script: string
  tty?: boolean
  labels?: Record<string, string>
  /** Another name for the image. */
  image?: string
  logDriver?: string
  /** False leaves it as created. */
  started?: boolean
}

/** A Docker engine of a test's own. */
export interface TestEngine {
  /** `unix:///…`, as DOCKER_HOST has it. */
  address: string
  socketPath: string
  docker: Docker
  /** Pid of dockerd while it runs. */
  readonly pid: number | undefined
  /** Creates a container, without a network, and starts it. */
  run: (container: TestContainer) => Promise<Docker.Container>
  /** Runs a container to its end. */
  runToEnd: (container: TestContainer) => Promise<Docker.Container>
  /** Connections that dockerd has on its socket. */
  connections: () => Promise<number>
  /** SIGSTOP: it takes connections and answers nothing. */
  hang: () => void
  resume: () => void
  /** SIGKILL to dockerd. */
  kill9: () => Promise<void>
  /** Starts it again: same socket, same data. */
  restart: () => Promise<void>
  /** Removes its containers, stops it and deletes its data. */
  stop: () => Promise<void>
}

const execute = promisify(execFile)
const REPOSITORY = 'troupe-test'
const TAG = '1'
const IMAGE = `${REPOSITORY}:${TAG}`
// Debian puts daemons where the PATH of a plain user does not look.
const EXTRA_PATH = '/usr/sbin:/sbin'

/**
 * Starts a private Docker engine with an image that needs no registry. On Debian, as root, what is missing is installed.
 *
 * Where no engine can be had the tests of the calling hook are skipped and say so; under CI they fail instead.
 */
export async function startEngine(context: Mocha.Context): Promise<TestEngine> {
  context.timeout(300_000)
  const obstacle = await findObstacle()
  if (obstacle !== undefined) {
    if (process.env.CI === 'true') throw new Error(`No container engine for the tests: ${obstacle}`)
    sayToTerminal(`      Skipped: ${obstacle}`)
    context.skip()
  }
  const folder = await mkdtemp(join(tmpdir(), 'troupe-docker-'))
  const socketPath = join(folder, 'docker.sock')
  // Nothing of the tests' own stays connected, so that connections can be counted.
  const options = { socketPath, agent: new Agent({ keepAlive: false }) }
  const docker = new Docker(options)
  const daemon = dockerdIn(folder, socketPath, docker)
  try {
    await daemon.start()
    await importImage(docker, folder)
  } catch (error) {
    await daemon.stop()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const restart = async (): Promise<void> => {
    // containerd died with a killed dockerd; where nobody reaps it, the next dockerd would take it for alive.
    await rm(join(folder, 'run/containerd/containerd.pid'), { force: true })
    await daemon.start()
  }
  return {
    address: `unix://${socketPath}`,
    socketPath,
    docker,
    get pid() {
      return daemon.pid
    },
    run: (container) => run(docker, container),
    runToEnd: async (container) => {
      const running = await run(docker, container)
      await running.wait()
      return running
    },
    connections: () => connectionsTo(socketPath),
    hang: () => signal(daemon, 'SIGSTOP'),
    resume: () => signal(daemon, 'SIGCONT'),
    kill9: () => daemon.kill(),
    restart,
    stop: async () => {
      // One that was killed has left its containers running: only an engine ends them properly.
      if (daemon.pid === undefined) await restart()
      const containers = await docker.listContainers({ all: true })
      await Promise.all(containers.map(({ Id: id }) => docker.getContainer(id).remove({ force: true })))
      await daemon.stop()
      await unmountAll(folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function findObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'dockerd runs on Linux only.'
  if (process.getuid?.() !== 0) return 'dockerd needs root.'
  const missing = [
    ...(['dockerd', 'containerd', 'runc'].every(isOnPath) ? [] : ['docker.io']),
    ...(existsSync('/bin/busybox') ? [] : ['busybox-static']),
  ]
  if (missing.length === 0) return undefined
  if (!existsSync('/etc/debian_version') || !isOnPath('apt-get')) return `${missing.join(' and ')} must be installed.`
  sayToTerminal(`      Installing ${missing.join(' and ')} for the container tests …`)
  try {
    await withReminders(sayToTerminal, '      Still installing', install(missing))
    return undefined
  } catch (error) {
    return `${missing.join(' and ')} could not be installed: ${String(error)}`
  }
}

async function install(packages: string[]): Promise<void> {
  const env = { ...plainEnvironment(), DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...words: string[]) => execute('apt-get', ['-q', '-y', ...words], { env, maxBuffer: 67_108_864 })
  await aptGet('update')
  await aptGet('install', '--no-install-recommends', ...packages)
}

function isOnPath(program: string): boolean {
  return `${process.env.PATH}${delimiter}${EXTRA_PATH}`.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function dockerdIn(folder: string, socketPath: string, docker: Docker): ManagedProcess {
  const environment = plainEnvironment()
  return new ManagedProcess({
    name: 'dockerd',
    command: 'dockerd',
    arguments: [
      ...['--host', `unix://${socketPath}`],
      ...['--data-root', join(folder, 'data')],
      ...['--exec-root', join(folder, 'run')],
      ...['--pidfile', join(folder, 'dockerd.pid')],
      // Containers whose first process ignores SIGTERM are not waited for.
      ...['--shutdown-timeout', '1'],
      ...['--storage-driver', 'vfs', '--bridge', 'none', '--iptables=false', '--ip6tables=false'],
    ],
    environment: { ...environment, PATH: `${environment.PATH}${delimiter}${EXTRA_PATH}` },
    logFile: join(folder, 'dockerd.log'),
    answers: async () => void (await docker.ping()),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 30_000,
  })
}

function signal({ pid }: ManagedProcess, name: NodeJS.Signals): void {
  if (pid === undefined) throw new Error('dockerd does not run.')
  process.kill(pid, name)
}

/** One that was killed has forgotten what it had mounted. */
async function unmountAll(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').map((line) => line.split(' ')[4] ?? '')
  for (const mount of mounts.filter((path) => path.startsWith(folder)).toReversed()) await execute('umount', [mount])
}

/** The server's ends of the connections carry its path; state 3 is connected. */
async function connectionsTo(socketPath: string): Promise<number> {
  const sockets = (await readFile('/proc/net/unix', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return sockets.filter(([, , , , , state, , path]) => state === '03' && path === socketPath).length
}

async function importImage(docker: Docker, folder: string): Promise<void> {
  const root = join(folder, 'root')
  await mkdir(join(root, 'bin'), { recursive: true })
  await copyFile('/bin/busybox', join(root, 'bin/busybox'))
  const { stdout } = await execute('/bin/busybox', ['--list'])
  const tools = stdout.split('\n').filter((tool) => tool !== '' && tool !== 'busybox')
  await Promise.all(tools.map((tool) => symlink('busybox', join(root, 'bin', tool))))
  const tar = await execute('tar', ['-C', root, '-c', '.'], { encoding: 'buffer', maxBuffer: 67_108_864 })
  const progress = await docker.importImage(Readable.from([tar.stdout]), {})
  const events: { status?: string; error?: string }[] = await new Promise((resolve, reject) => {
    docker.modem.followProgress(progress, (error, done) => (error ? reject(error) : resolve(done)))
  })
  const id = events.at(-1)?.status
  if (!id?.startsWith('sha256:')) throw new Error(`The image could not be imported: ${JSON.stringify(events)}`)
  await docker.getImage(id).tag({ repo: REPOSITORY, tag: TAG })
}

async function run(docker: Docker, container: TestContainer): Promise<Docker.Container> {
  const { name = `troupe-${randomUUID()}`, script, tty = false, labels = {}, image = IMAGE } = container
  if (image !== IMAGE) {
    const [repo = image, tag = 'latest'] = image.split(':')
    await docker.getImage(IMAGE).tag({ repo, tag })
  }
  const created = await docker.createContainer({
    name,
    Image: image,
    Cmd: ['/bin/sh', '-c', script],
    Tty: tty,
    Labels: labels,
    HostConfig: {
      NetworkMode: 'none',
      ...(container.logDriver === undefined ? {} : { LogConfig: { Type: container.logDriver, Config: {} } }),
    },
  })
  if (container.started ?? true) await created.start()
  return created
}
