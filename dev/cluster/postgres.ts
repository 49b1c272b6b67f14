import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { runCommand } from '../binaries/run-command.ts'
import type { ProcessSpec } from '../managed-process.ts'
import { plainEnvironment, type ServerOptions } from '../servers/server-options.ts'

export interface PostgresOptions extends Omit<ServerOptions, 'binary'> {
  /** Folder of its programs. */
  programs: string
  password: string
}

/** A PostgreSQL server with a superuser `temporal`. As root it runs as the system's user `postgres`, since it refuses root. */
export async function postgresSpec({
  programs,
  port,
  dataDir,
  logDir,
  password,
}: PostgresOptions): Promise<ProcessSpec> {
  const folder = join(dataDir, 'postgres')
  const data = join(folder, 'data')
  if (!existsSync(data)) await initialise({ programs, folder, data, password })
  const [command, args] = unprivileged(join(programs, 'postgres'), [
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ...['-c', 'shared_buffers=64MB', '-c', 'max_connections=100'],
  ])
  return {
    name: 'postgres',
    command,
    arguments: args,
    environment: plainEnvironment(),
    workingDirectory: folder,
    logFile: join(logDir, 'postgres.log'),
    answers: () => acceptsConnections(port),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 10_000,
  }
}

interface Initialisation {
  programs: string
  folder: string
  data: string
  password: string
}

async function initialise({ programs, folder, data, password }: Initialisation): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (isRoot()) await runCommand('chown', ['-R', 'postgres', folder])
  const [command, args] = unprivileged(join(programs, 'initdb'), [
    ...['-D', data, '-U', 'temporal', '--auth', 'scram-sha-256', '--pwfile', passwordFile],
    ...['--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
  ])
  await runCommand(command, args, { workingDirectory: folder })
}

/** Lets another user pass through a folder that was made for us alone. */
export function letPass(folder: string): void {
  if (isRoot()) chmodSync(folder, 0o711)
}

function unprivileged(command: string, args: string[]): [command: string, args: string[]] {
  if (!isRoot()) return [command, args]
  return ['setpriv', ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', command, ...args]]
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

async function acceptsConnections(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
