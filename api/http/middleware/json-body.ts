import bodyParser from 'koa-bodyparser'
import type { Context, Middleware } from 'koa'
import { TroupeError, messageOf } from '../../../core/errors.ts'
import { withDigits } from '../../../core/exact-json.ts'

interface JsonBodyOptions {
  /** Largest body in bytes, after decompression. */
  limitBytes: number
  /** No body at all counts as `{}`. */
  optional: boolean
}

/**
 * Reads a JSON body into `request.body`, as `JSON.parse` gives it: keys such as `__proto__` stay plain keys. Numbers
 * keep their digits for when it is JSON again.
 * A request without Content-Type is taken at its word that the body is JSON.
 * @throws TroupeError too_large, bad_request
 */
export function jsonBody({ limitBytes, optional }: JsonBodyOptions): Middleware {
  const parse = bodyParser({
    enableTypes: ['json'],
    jsonLimit: limitBytes as unknown as string,
    strict: false,
    detectJSON: saysNothingElse,
    // JSON.parse itself is safe: the name is only dangerous to code that copies keys by assignment.
    onProtoPoisoning: 'ignore',
    onerror: (error, ctx) => {
      // The parser stops reading: what is left of the body would hold the connection.
      ctx.req.resume()
      throw refusal(error, limitBytes)
    },
  } as bodyParser.Options)
  return async function readBody(ctx, next) {
    if (hasBody(ctx) && !saysNothingElse(ctx)) {
      throw new TroupeError('bad_request', 'The body must be JSON: send it with Content-Type: application/json.')
    }
    const text = watchText(ctx)
    await parse(ctx, async () => {
      if (hasBody(ctx) && ctx.request.rawBody !== '') {
        checkText(text())
        ctx.request.body = withDigits(String(ctx.request.rawBody), ctx.request.body)
        return next()
      }
      if (!optional) throw new TroupeError('bad_request', 'The body is required: send a JSON object.')
      ctx.request.body = {}
      ctx.request.rawBody = ''
      return next()
    })
  }
}

/** Listens to the bytes of a body beside the parser, which takes what is no UTF-8 for U+FFFD. Compressed ones are not looked at. */
function watchText({ req, headers }: Context): () => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isText = true
  const decode = (chunk?: Buffer): void => {
    try {
      if (isText) decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isText = false
    }
  }
  if (headers['content-encoding'] === undefined) req.on('data', decode)
  return () => {
    decode()
    return isText
  }
}

function checkText(isText: boolean): void {
  if (!isText) throw new TroupeError('bad_request', 'The body is not valid JSON: it is not encoded as UTF-8.')
}

function saysNothingElse(ctx: Context): boolean {
  return ctx.get('Content-Type') === '' || Boolean(ctx.is('json', '+json'))
}

/** By its headers; an empty chunked body shows only when it was read. */
function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0
}

function refusal(error: Error & { type?: string }, limitBytes: number): TroupeError {
  if (error.type === 'entity.too.large') {
    return new TroupeError('too_large', `The body is larger than ${limitBytes} bytes.`, { cause: error })
  }
  return new TroupeError('bad_request', `The body is not valid JSON: ${messageOf(error).slice(0, 200)}.`, {
    cause: error,
  })
}
