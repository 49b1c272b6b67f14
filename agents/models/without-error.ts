import { bodyErrorOf } from './stream-error.ts'

/**
 * A response as it is. Gateways and some servers write an error under status 200, as JSON where a stream was asked for; adapters would find
 * an empty answer in it, which is asked for again a few times only.
 * @throws StreamError with what the body says.
 */
export async function withoutError(response: Response): Promise<Response> {
  const { ok, status, headers, body } = response
  if (!ok || body === null || !headers.get('content-type')?.includes('json')) return response
  const [begin, whole] = body.tee()
  const same = (content: string | ReadableStream<Uint8Array>): Response => new Response(content, { status, headers })
  // Some servers say that their stream is JSON: it is not waited for.
  if (await isEventStream(begin)) return same(whole)
  const text = await same(whole).text()
  const error = bodyErrorOf(parsed(text), Object.fromEntries(headers))
  if (error !== undefined) throw error
  return same(text)
}

/** Whether the first line is one of server-sent events. @param copy - of a body; it is not read further. */
async function isEventStream(copy: ReadableStream<Uint8Array>): Promise<boolean> {
  const reader = copy.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const begin = new TextDecoder().decode(value).trimStart()
      if (done || begin !== '') return /^(data|event|id|retry)?:/.test(begin)
    }
  } finally {
    // Not waited for: it is over when the other copy is.
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
