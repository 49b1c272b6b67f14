import { bodyErrorOf } from './stream-error.ts'

/**
 * A response as it is. Gateways and some servers write an error under status 200, as JSON where a stream was asked for; adapters would find
 * an empty answer in it, which is asked for again a few times only.
 * @throws StreamError with what the body says.
 */
export async function withoutError(response: Response): Promise<Response> {
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return response
  const text = await response.text()
  const error = bodyErrorOf(parsed(text), Object.fromEntries(response.headers))
  if (error !== undefined) throw error
  const { status, headers } = response
  return new Response(text, { status, headers })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
