import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { getRawBody } from 'raw-body'
import { TroupeError, messageOf } from '../../../core/errors.ts'
import { parseJson } from '../../../core/exact-json.ts'
import { countContainers } from '../../../core/json-size.ts'

interface JsonBodyOptions {
  /** Largest body in bytes, after decompression. */
  limitBytes: number
  /** No body at all counts as `{}`. */
  optional: boolean
}

/** Objects and arrays of a body: a million take half a second to parse, in which nobody else is served. */
const MAX_CONTAINERS = 1_000_000
const DECOMPRESSORS = new Map([
  ['gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
])
/** Such as are cut off inside a character are refused, too. A byte order mark is left out. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body into `state.sent`, as `JSON.parse` gives it: keys such as `__proto__` stay plain keys. Numbers
 * keep their digits for when it is JSON again. `state.bodyBytes` is what was sent, without its compression.
 * A request without Content-Type is taken at its word that the body is JSON.
 * @throws TroupeError too_large, bad_request
 */
export function jsonBody({ limitBytes, optional }: JsonBodyOptions): Middleware {
  return async function readBody(ctx, next) {
    if (hasBody(ctx) && !saysNothingElse(ctx)) {
      throw new TroupeError('bad_request', 'The body must be JSON: send it with Content-Type: application/json.')
    }
    const bytes = await readBytes(ctx.req, limitBytes)
    if (bytes.length === 0 && !optional) {
      throw new TroupeError('bad_request', 'The body is required: send a JSON object.')
    }
    ctx.state.bodyBytes = bytes
    ctx.state.sent = bytes.length === 0 ? {} : parse(bytes)
    return next()
  }
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers
  try {
    if (encoding === 'identity') return await getRawBody(request, { limit, length })
    return await getRawBody(decompressed(request, encoding), { limit })
  } catch (error) {
    // What is left of the body would hold the connection.
    request.unpipe()
    request.resume()
    if ((error as { type?: string }).type !== 'entity.too.large') throw notJson(error)
    throw new TroupeError('too_large', `The body is larger than ${limit} bytes.`, { cause: error })
  }
}

function decompressed(request: IncomingMessage, encoding: string): Readable {
  const create = DECOMPRESSORS.get(encoding)
  if (create === undefined) throw new Error('its Content-Encoding is none of gzip, deflate and br')
  const content = request.pipe(create())
  // A pipe does not pass on that its source has broken off.
  request.once('close', () => request.complete || content.destroy(new Error('it broke off')))
  return content
}

function parse(bytes: Buffer): unknown {
  const text = decode(bytes)
  if (countContainers(bytes) > MAX_CONTAINERS) {
    throw new TroupeError('too_large', `The body holds more than ${MAX_CONTAINERS} objects and arrays.`)
  }
  try {
    return parseJson(text)
  } catch (error) {
    throw notJson(error)
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
