import { bodyErrorOf } from './stream-error.ts'

/**
 * Returns the response unchanged, or throws the error that it contains. Gateways and some servers send an error as JSON
 * with status 200 instead of a stream. Adapters would read an empty response, which is retried only a few times.
 * @throws StreamError with the fields of the body.
 */
export async function withoutError(response: Response): Promise<Response> {
  const { ok, status, headers, body } = response
  if (!ok || body === null || !headers.get('content-type')?.includes('json')) return response
  const [begin, whole] = body.tee()
  const same = (content: string | ReadableStream<Uint8Array>): Response => new Response(content, { status, headers })
  // Some servers declare their stream as JSON. It is not read to its end first.
  if (await isEventStream(begin)) return same(whole)
  const text = await same(whole).text()
  const error = bodyErrorOf(parsed(text), Object.fromEntries(headers))
  if (error !== undefined) throw error
  return same(text)
}

/**
 * Whether the first line is one of server-sent events.
 * @param copy - a copy of a body; only its beginning is read.
 */
async function isEventStream(copy: ReadableStream<Uint8Array>): Promise<boolean> {
  const reader = copy.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const begin = new TextDecoder().decode(value).trimStart()
      if (done || begin !== '') return /^(data|event|id|retry)?:/.test(begin)
    }
  } finally {
    // Not awaited, because it settles only after the other copy ends.
    reader.cancel().catch(() => undefined)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
