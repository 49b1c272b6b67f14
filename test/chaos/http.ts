import { now, type Journal } from './journal.ts'
import type { Random } from './random.ts'

export interface Reply {
  from: number
  to: number
  /** 0 when no response came. */
  status: number
  // Replies are looked into freely.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

export interface Caller {
  who: string
  urls: string[]
  /** What each request says of itself: the service's key. */
  headers: Record<string, string>
  random: Random
  journal: Journal
}

interface Options {
  key?: string | undefined
  timeoutMs?: number
}

/** One HTTP request to any of the API processes, written down with its response. */
export async function call(
  { who, urls, headers: own, random, journal }: Caller,
  method: string,
  path: string,
  body?: unknown,
  { key, timeoutMs = 40_000 }: Options = {},
): Promise<Reply> {
  const url = random.pick(urls)
  const from = now()
  const reply: Pick<Reply, 'status' | 'body'> = await send(
    `${url}${path}`,
    method,
    body,
    { ...own, ...(key && { 'idempotency-key': key }) },
    timeoutMs,
  )
  const to = now()
  const told = {
    url: url.slice(-5),
    status: reply.status,
    detail: reply.body?.detail,
    key,
    sent: method === 'GET' ? undefined : body,
  }
  journal.add({ from, to, who, what: `${method} ${path}`, ...told })
  return { from, to, ...reply }
}

async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: JSON.parse(text) as unknown }
  } catch (error) {
    return { status: 0, body: { detail: String((error as Error).cause ?? error) } }
  }
}
