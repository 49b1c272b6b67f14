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
  /** Largest body in bytes, after decompression. */
  limitBytes: number
  /** No body at all counts as `{}`. */
  optional: boolean
  room: BodyRoom
}

/** Numbers of which a double does not hold all digits: each costs as much as twenty others, and half a million half a second. */
const MAX_LONG_NUMBERS = 500_000
const DECOMPRESS = new Map([
  ['gzip', promisify(unzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
])
/** Such as are cut off inside a character are refused, too. A byte order mark is left out. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body into `state.sent`, as `JSON.parse` gives it: keys such as `__proto__` stay plain keys. Numbers
 * keep their digits for when it is JSON again. `state.bodyHash` tells apart what was sent under an Idempotency-Key.
 * `state.forgetBody()` lets go of all of it once it is not needed any more, which may be long before the answer.
 * A request without Content-Type is taken at its word that the body is JSON.
 * @throws TroupeError too_large, bad_request, unavailable when there is no room for it
 */
export function jsonBody({ limitBytes, optional, room }: JsonBodyOptions): Middleware {
  return async function readBody(ctx, next) {
    if (hasBody(ctx) && !saysNothingElse(ctx)) {
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

/** What a body may come to, by its headers. */
function mostBytes(ctx: Context, limit: number): number {
  if (!hasBody(ctx)) return 0
  const isAsItIs = ctx.get('Transfer-Encoding') === '' && ctx.get('Content-Encoding') === ''
  return isAsItIs ? Math.min(Number(ctx.get('Content-Length')), limit) : limit
}

async function readBytes({ req, request }: Context, limit: number): Promise<Buffer> {
  try {
    const bytes = await getRawBody(req, { limit, length: req.headers['content-length'] })
    return await decompressed(bytes, request.get('Content-Encoding') || 'identity', limit)
  } catch (error) {
    // What is left of the body would hold the connection.
    req.resume()
    if (!isTooLarge(error)) throw notJson(error)
    throw new TroupeError('too_large', `The body is larger than ${limit} bytes.`, { cause: error })
  }
}

async function decompressed(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  if (encoding === 'identity' || bytes.length === 0) return bytes
  const decompress = DECOMPRESS.get(encoding)
  if (decompress === undefined) throw new Error('its Content-Encoding is none of gzip, deflate and br')
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
    const sentence = `The body holds more than ${MAX_LONG_NUMBERS} numbers with more digits than a double has.`
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

function saysNothingElse(ctx: Context): boolean {
  return ctx.get('Content-Type') === '' || Boolean(ctx.is('json', '+json'))
}

/** By its headers; an empty chunked body shows only when it was read. */
function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0
}

function notJson(error: unknown): TroupeError {
  return new TroupeError('bad_request', `The body is not valid JSON: ${messageOf(error).slice(0, 200)}.`, {
    cause: error,
  })
}
