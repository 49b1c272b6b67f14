import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { DialOptions } from 'docker-modem'
import type Docker from 'dockerode'
import pTimeout from 'p-timeout'
import { ConfigError } from '../../config.ts'
import { codeOf, messageOf, TroupeError } from '../../core/errors.ts'
import type { Log } from '../../log.ts'

/** Timeout of a request to the engine. */
const ANSWER_MS = 2_500

/** Query parameters of the engine's log endpoint. */
export interface LogQuery {
  tail: number | 'all'
  since: string | undefined
  follow: boolean
}

/** A Docker engine. Each request opens a new connection, so a restarted engine is used at once and no idle connection remains. */
export interface Engine {
  /**
   * Sends a request to the engine.
   * @param name - name of the container in errors.
   * @throws TroupeError engine_unavailable when the engine does not respond within 2.5 s, not_found
   */
  ask: <Answer>(question: (docker: Docker, signal: AbortSignal) => Promise<Answer>, name?: string) => Promise<Answer>
  /**
   * Opens a container's log: both streams, with timestamps. Pings the engine after `silenceMs` without data, and destroys the
   * response with engine_unavailable if the ping fails. Destroying the response ends the request.
   * @throws TroupeError engine_unavailable, not_found
   */
  openLog: (container: { id: string; name: string }, query: LogQuery, silenceMs: number) => Promise<IncomingMessage>
}

/**
 * The engine at an address; connects with the first request.
 * @param dockerHost - unix:///path, tcp://host:port, http:// or https://; without one /var/run/docker.sock.
 * @throws ConfigError for any other address.
 */
export function createEngine({ dockerHost, log }: { dockerHost: string | undefined; log: Log }): Engine {
  const address = addressOf(dockerHost ?? 'unix:///var/run/docker.sock')
  let opened: Promise<Docker> | undefined
  const open = (): Promise<Docker> => (opened ??= dockerAt(address))

  const ask: Engine['ask'] = async (question, name = '') => {
    const controller = new AbortController()
    const fallback = (): never => {
      controller.abort()
      throw new TroupeError('engine_unavailable', 'The container engine does not respond; check that it is running.')
    }
    try {
      const answer = open().then((docker) => question(docker, controller.signal))
      // The signal alone is not enough: dockerode never settles its promise when a connection breaks in the middle of a response.
      return await pTimeout(answer, { milliseconds: ANSWER_MS, fallback })
    } catch (error) {
      const known = asEngineError(error, name)
      if (known.code === 'engine_unavailable') log.warn({ cause: messageOf(error) }, 'container engine unavailable')
      throw known
    }
  }

  return {
    ask,
    openLog: async ({ id, name }, query, silenceMs) => {
      const response = await ask((docker, signal) => dialLog(docker, id, query, signal), name)
      let heard = -1
      const watch = setInterval(() => {
        const bytes = response.socket.bytesRead
        if (bytes === heard) ask(ping).catch((error) => response.destroy(error))
        heard = bytes
      }, silenceMs)
      response.once('close', () => clearInterval(watch))
      return response
    },
  }
}

/** Converts an error of the engine to a TroupeError; returns a TroupeError unchanged. */
export function asEngineError(error: unknown, name = ''): TroupeError {
  if (error instanceof TroupeError) return error
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  if (status === 400 || status === 404 || status === 409) {
    return new TroupeError(
      'not_found',
      `Container ${name} does not exist; GET /api/logs/containers lists all containers.`,
      { cause: error },
    )
  }
  if (status === 501) {
    return new TroupeError('not_found', `Cannot read the log of container ${name}: its logging driver stores no log.`)
  }
  const reason = status === undefined ? (codeOf(error) ?? 'connection lost') : `status ${status}`
  return new TroupeError('engine_unavailable', `The container engine is unreachable (${reason}); check DOCKER_HOST.`, {
    cause: error,
  })
}

/** Loads the package with the first request: it is large, and most processes never use it. */
async function dockerAt(address: Docker.DockerOptions): Promise<Docker> {
  const { default: Docker } = await import('dockerode')
  // Connections are not kept alive: a kept connection may lead to an engine that has died.
  const agent = new (address.protocol === 'https' ? https : http).Agent({ keepAlive: false })
  const options = { ...address, agent }
  return new Docker(options)
}

function addressOf(dockerHost: string): Docker.DockerOptions {
  const socketPath = /^(?:unix|npipe):\/\/(.+)$/.exec(dockerHost)?.[1]
  // Sets all options, because docker-modem takes missing ones from the environment.
  if (socketPath !== undefined) return { socketPath, host: undefined, port: undefined, protocol: 'http' }
  const url = URL.parse(dockerHost)
  if (url === null || url.hostname === '' || !['tcp:', 'http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(`DOCKER_HOST must be unix:///path, tcp://host:port, http:// or https://, not ${dockerHost}.`)
  }
  const protocol = url.protocol === 'https:' || url.port === '2376' ? 'https' : 'http'
  return { host: `http://${url.hostname}`, port: url.port || (protocol === 'https' ? '2376' : '2375'), protocol }
}

// Does not use container.logs(): without `follow` it reads the whole log into memory and parses text that looks like JSON.
async function dialLog(docker: Docker, id: string, { since, ...query }: LogQuery, abortSignal: AbortSignal) {
  const options = { stdout: true, stderr: true, timestamps: true, ...query, ...(since === undefined ? {} : { since }) }
  const path = `/containers/${id}/logs?`
  return (await dial(docker, { path, method: 'GET', isStream: true, options, abortSignal })) as IncomingMessage
}

async function ping(docker: Docker, abortSignal: AbortSignal): Promise<void> {
  await dial(docker, { path: '/_ping', method: 'GET', abortSignal })
}

function dial(docker: Docker, request: DialOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    docker.modem.dial({ ...request, statusCodes: { 200: true } }, (error: unknown, answer: unknown) => {
      if (error) reject(error)
      else resolve(answer)
    })
  })
}
