import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { DialOptions } from 'docker-modem'
import type Docker from 'dockerode'
import pTimeout from 'p-timeout'
import { ConfigError } from '../../config.ts'
import { codeOf, messageOf, TroupeError } from '../../core/errors.ts'
import type { Log } from '../../log.ts'

/** How long an engine may take to answer before it counts as away. */
const ANSWER_MS = 2_500

/** What the engine's log endpoint takes, under the engine's names. */
export interface LogQuery {
  tail: number | 'all'
  since: string | undefined
  follow: boolean
}

/** A Docker engine, asked anew each time: one that comes back is used at once, and no idle connection is left. */
export interface Engine {
  /**
   * Asks the engine about a container, or about all of them.
   * @param name - what the error calls the container.
   * @throws TroupeError engine_unavailable when it does not answer within 2.5 s, not_found
   */
  ask: <Answer>(question: (docker: Docker, signal: AbortSignal) => Promise<Answer>, name?: string) => Promise<Answer>
  /**
   * Opens a container's log, both streams with stamps. While nothing comes for `silenceMs` the engine is asked whether it
   * lives, and the response is destroyed with engine_unavailable if it does not. Destroying the response ends the request.
   * @throws TroupeError engine_unavailable, not_found
   */
  openLog: (container: { id: string; name: string }, query: LogQuery, silenceMs: number) => Promise<IncomingMessage>
}

/**
 * The engine at an address; nothing is connected before the first question.
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
      throw new TroupeError('engine_unavailable', 'The container engine does not answer.')
    }
    try {
      const answer = open().then((docker) => question(docker, controller.signal))
      // Not by the signal alone: dockerode leaves a promise open for ever when a connection breaks in the middle of an answer.
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

/** What went wrong with the engine as a TroupeError; one of ours stays what it is. */
export function asEngineError(error: unknown, name = ''): TroupeError {
  if (error instanceof TroupeError) return error
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  if (status === 400 || status === 404 || status === 409) {
    return new TroupeError('not_found', `There is no container ${name}.`, { cause: error })
  }
  if (status === 501) {
    return new TroupeError('not_found', `Container ${name} has no log that can be read: its logging driver keeps none.`)
  }
  const reason = status === undefined ? (codeOf(error) ?? 'connection lost') : `status ${status}`
  return new TroupeError('engine_unavailable', `The container engine cannot be reached (${reason}).`, { cause: error })
}

/** The package is large, and most processes are never asked about containers: it is loaded with the first question. */
async function dockerAt(address: Docker.DockerOptions): Promise<Docker> {
  const { default: Docker } = await import('dockerode')
  // Connections are never kept: a kept one may lead to an engine that has died since.
  const agent = new (address.protocol === 'https' ? https : http).Agent({ keepAlive: false })
  const options = { ...address, agent }
  return new Docker(options)
}

function addressOf(dockerHost: string): Docker.DockerOptions {
  const socketPath = /^(?:unix|npipe):\/\/(.+)$/.exec(dockerHost)?.[1]
  // All of it is said, as docker-modem takes what is missing from the environment.
  if (socketPath !== undefined) return { socketPath, host: undefined, port: undefined, protocol: 'http' }
  const url = URL.parse(dockerHost)
  if (url === null || url.hostname === '' || !['tcp:', 'http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(`DOCKER_HOST must be unix:///path, tcp://host:port, http:// or https://, not ${dockerHost}.`)
  }
  const protocol = url.protocol === 'https:' || url.port === '2376' ? 'https' : 'http'
  return { host: `http://${url.hostname}`, port: url.port || (protocol === 'https' ? '2376' : '2375'), protocol }
}

// Not container.logs(): without `follow` that gathers the whole log in memory, and parses one that looks like JSON.
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
