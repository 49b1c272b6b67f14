import { z } from 'zod'
import { messageOf } from '../../core/errors.ts'
import { defineTool, type AgentContext } from '../definition.ts'
import { readPageInThread } from './page/page-reader.ts'

const MAX_BYTES = 2_097_152
const MAX_CHARACTERS = 20_000
const TIMEOUT_MS = 15_000

const parameters = z.object({ url: z.string().describe('The http or https address of the page.') })

/**
 * Reads a web page as text. It uses the agent's guarded `fetch`, which reaches private networks only if the agent or
 * NETWORK_ALLOW_PRIVATE opens them.
 */
export const fetchPage = defineTool({
  name: 'fetch_page',
  description: `Fetches a web page or text file and gives its title and main text (at most ${MAX_CHARACTERS} characters).`,
  parameters,
  execute: async ({ url }: z.infer<typeof parameters>, { fetch, signal, heartbeat }: AgentContext) => {
    const address = parseAddress(url)
    // A cancellation ends the request, and so does the time-out, because a server may never end its response.
    const limits = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    try {
      const response = await fetch(address, {
        signal: limits,
        headers: { accept: 'text/html, text/*;q=0.9, */*;q=0.1' },
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw new Error(`the server answered ${response.status} ${response.statusText}`.trim())
      }
      heartbeat('reading')
      const { title, text } = await readResponse(response, signal)
      return { url: response.url, title, text: text.slice(0, MAX_CHARACTERS), truncated: text.length > MAX_CHARACTERS }
    } catch (error) {
      if (signal.aborted) throw error
      throw new Error(`${address} cannot be read: ${reason(error)}`, { cause: error })
    }
  },
})

function parseAddress(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) throw new Error(`${url} is not an address: give one that starts with http:// or https://`)
  if (!['http:', 'https:'].includes(parsed.protocol))
    throw new Error(`${parsed.protocol} addresses are not fetched, only http: and https:`)
  return parsed.href
}

async function readResponse(response: Response, signal: AbortSignal): Promise<{ title: string; text: string }> {
  const [type = '', ...attributes] = (response.headers.get('content-type') ?? 'text/html').toLowerCase().split(';')
  const readable = /^(text\/|application\/(json|xml|xhtml\+xml|[a-z.+-]+\+(json|xml)))/.test(type.trim())
  if (!readable) {
    await response.body?.cancel()
    throw new Error(`it is ${type.trim()}, not text`)
  }
  const charset = attributes.find((attribute) => attribute.trim().startsWith('charset='))?.split('=')[1]
  const source = decode(await readBytes(response), charset?.replaceAll(/["'\s]/g, ''))
  if (!type.includes('html')) return { title: response.url, text: source }
  const page = await readPageInThread(source, signal)
  return { ...page, title: page.title || response.url }
}

async function readBytes(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the body, so an endless page costs no more than the limit.
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error)
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} seconds`
  // fetch says only "fetch failed"; the cause describes the failure. The surrounding sentence adds its own full stop.
  return messageOf(error.cause ?? error).replace(/\.$/, '')
}
