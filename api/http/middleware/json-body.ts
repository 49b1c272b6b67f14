import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, unzip } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { getRawBody } from 'raw-body'
import { TroupeError, codeOf, messageOf } from '../../../core/errors.ts'
import { parseJson } from '../../../core/exact-json.ts'
import type { BodyRoom } from '../body-room.ts'
import { tooHeavy } from '../json-size.ts'

interface JsonBodyOptions {
  /** Maximum size of the body in bytes, after decompression. */
  limitBytes: number
  /** A missing body counts as `{}`. */
  optional: boolean
  room: BodyRoom
}

/** Maximum count of numbers that a double cannot represent. Each costs as much as twenty others; half a million take half a second. */
const MAX_LONG_NUMBERS = 500_000
const DECOMPRESS = new Map([
  ['gzip', promisify(unzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
])
/** Rejects invalid UTF-8, including a truncated last character. Drops a byte order mark. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body into `state.sent` with the semantics of `JSON.parse`: keys such as `__proto__` stay plain keys. Numbers
 * keep their digits for later serialization. `state.bodyHash` identifies the body of a request with an Idempotency-Key.
 * `state.forgetBody()` releases the body's memory when it is no longer needed, which may be long before the response.
 * A request without Content-Type is assumed to contain JSON.
 * @throws TroupeError too_large, bad_request, unavailable when there is no memory for the body
 */
export function jsonBody({ limitBytes, optional, room }: JsonBodyOptions): Middleware {
  return async function readBody(ctx, next) {
    if (hasBody(ctx) && !mayBeJson(ctx)) {
      throw new TroupeError('bad_request', 'The body must be JSON: send it with Content-Type: application/json.')
    }
    const { state } = ctx
    const place = await room.enter(mostBytes(ctx, limitBytes), state.responseClosed as AbortSignal)
    state.forgetBody = (): void => {
      Object.assign(state, { sent: undefined, body: undefined })
      place.keep(0)
    }
    const bytes = await readBytes(ctx, limitBytes)
    place.keep(bytes.length)
    if (bytes.length === 0 && !optional) {
      throw new TroupeError('bad_request', 'The body is required: send a JSON object.')
    }
    if ('idempotency-key' in ctx.headers) state.bodyHash = createHash('sha256').update(bytes).digest('hex')
    state.sent = bytes.length === 0 ? {} : parse(bytes)
    return next()
  }
}

/** Upper bound of the size of a body, from its headers. */
function mostBytes(ctx: Context, limit: number): number {
  if (!hasBody(ctx)) return 0
  const isAsItIs = ctx.get('Transfer-Encoding') === '' && ctx.get('Content-Encoding') === ''
  return isAsItIs ? Math.min(Number(ctx.get('Content-Length')), limit) : limit
}

async function readBytes({ req, request }: Context, limit: number): Promise<Buffer> {
  try {
    const bytes = await getRawBody(req, { limit, length: req.headers['content-length'] })
    return await decompressBody(bytes, request.get('Content-Encoding') || 'identity', limit)
  } catch (error) {
    // The unread rest of the body would keep the connection open.
    req.resume()
    if (!isTooLarge(error)) throw notJson(error)
    throw new TroupeError('too_large', `The body is larger than ${limit} bytes.`, { cause: error })
  }
}

async function decompressBody(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  if (encoding === 'identity' || bytes.length === 0) return bytes
  const decompress = DECOMPRESS.get(encoding)
  if (decompress === undefined) throw new Error('its Content-Encoding is not gzip, deflate or br')
  return decompress(bytes, { maxOutputLength })
}

function isTooLarge(error: unknown): boolean {
  return (error as { type?: string }).type === 'entity.too.large' || codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
}

function parse(bytes: Buffer): unknown {
  const text = decode(bytes)
  const problem = tooHeavy(bytes)
  if (problem !== undefined) throw new TroupeError('too_large', `The body ${problem}.`)
  try {
    return parseJson(text, MAX_LONG_NUMBERS)
  } catch (error) {
    if (!(error instanceof RangeError)) throw notJson(error)
    const sentence = `The body contains more than ${MAX_LONG_NUMBERS} numbers with more digits than a double can represent; send them as strings.`
    throw new TroupeError('too_large', sentence, { cause: error })
  }
}

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    throw new TroupeError('bad_request', 'The body is not valid JSON: it is not encoded as UTF-8.')
  }
}

function mayBeJson(ctx: Context): boolean {
  return ctx.get('Content-Type') === '' || Boolean(ctx.is('json', '+json'))
}

/** Whether the headers announce a body; an empty chunked body is detected only by reading it. */
function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0
}

function notJson(error: unknown): TroupeError {
  return new TroupeError('bad_request', `The body is not valid JSON: ${messageOf(error).slice(0, 200)}.`, {
    cause: error,
  })
}
