import type { Agent } from 'undici'
import { createGuard, type NetworkRules } from './guard.ts'
import { guardedConnector, type Resolve } from './guarded-connector.ts'
import { limitBody } from './limit-body.ts'
import { NetworkError } from './network-error.ts'
import { followRedirect, redirectTarget, type Hop } from './redirect.ts'

const MAX_REDIRECTS = 5
const CONNECT_TIMEOUT_MS = 10_000

export interface GuardedFetchOptions extends NetworkRules {
  /** Targets in private networks that the installation opens (NETWORK_ALLOW_PRIVATE). */
  allowPrivate?: readonly string[]
  /** Maximum size of a response body after decompression; default 32 MiB. */
  maxBytes?: number
  /** Time limit from the call to the last byte of the body, including redirects; default 2 minutes. */
  timeoutMs?: number
  /** Default: the system's resolver. */
  resolve?: Resolve
}

export interface GuardedFetch {
  /**
   * A `fetch` that reaches only permitted hosts. It ignores proxies of the environment, sends no cookies, follows at
   * most five redirects, and checks each redirect like the first URL.
   * @throws NetworkError (`code` network_refused or response_too_large), or the errors of `fetch`.
   */
  fetch: typeof fetch
  /** Closes its connections; requests in progress fail. */
  close: () => Promise<void>
}

/**
 * Creates a guarded `fetch` with its own connections, so that a connection is never reused under other rules.
 * @throws Error that names the invalid entry of the rules.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { allowPrivate = [], maxBytes = 33_554_432, timeoutMs = 120_000 } = options
  const guard = createGuard(options, allowPrivate)
  let agent: Promise<Agent> | undefined
  const openAgent = async (): Promise<Agent> => {
    const { Agent, buildConnector } = await import('undici')
    const { resolve } = options
    const connect = guardedConnector({ guard, build: buildConnector, connectTimeoutMs: CONNECT_TIMEOUT_MS, resolve })
    return new Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  }
  return {
    async fetch(input, init) {
      const request = new Request(input, init)
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
      let hop = await firstHop(request)
      for (let redirects = 0; ; redirects += 1) {
        guard.checkUrl(hop.url)
        const response = await send(hop, signal, await (agent ??= openAgent()))
        const location = request.redirect === 'manual' ? undefined : redirectTarget(response)
        if (location === undefined) return limitBody(response, { url: hop.url, redirected: redirects > 0 }, maxBytes)
        await response.body?.cancel()
        if (request.redirect === 'error' || redirects === MAX_REDIRECTS) {
          throw new NetworkError('network_refused', redirectSentence(request.redirect, hop.url))
        }
        hop = followRedirect(hop, response.status, location)
      }
    },
    close: async () => (await agent)?.destroy(),
  }
}

/** Reads the body into memory, because a redirect may need it again. */
async function firstHop(request: Request): Promise<Hop> {
  const headers = new Headers(request.headers)
  // The header may name a different host than the checked one.
  headers.delete('host')
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return { url: new URL(request.url), method: request.method, headers, body }
}

async function send({ url, method, headers, body }: Hop, signal: AbortSignal, dispatcher: Agent): Promise<Response> {
  const { fetch: undiciFetch } = await import('undici')
  const sent = { method, headers: [...headers], body: body ?? null, signal, dispatcher }
  try {
    // Its classes are another copy of the global ones.
    return (await undiciFetch(url, { ...sent, redirect: 'manual' })) as unknown as Response
  } catch (error) {
    // undici says only "fetch failed"; the refusal is the cause.
    if (error instanceof Error && error.cause instanceof NetworkError) throw error.cause
    throw error
  }
}

function redirectSentence(mode: Request['redirect'], { host }: URL): string {
  return mode === 'error' ? `${host} redirects, and the request forbids it.` : `More than ${MAX_REDIRECTS} redirects.`
}
