import type { Middleware } from 'koa'
import type { ZodType } from 'zod'
import { sentenceOf } from '../sentence.ts'
import { TroupeError } from '../../../core/errors.ts'

/**
 * Validates the query and the body, and stores the parsed values as `state.query` and `state.body`.
 * @throws TroupeError bad_request, or too_large when the schema says so, with one sentence that names the first invalid field.
 */
export function validate({ query, body }: { query: ZodType; body?: ZodType | undefined }): Middleware {
  return async function checkInput(ctx, next) {
    ctx.state.query = parseWith(query, ctx.query, 'The query')
    ctx.state.body = body === undefined ? undefined : parseWith(body, ctx.state.sent, 'The body')
    await next()
  }
}

function parseWith(schema: ZodType, value: unknown, place: string): unknown {
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const [issue] = issues
  const tooLarge = issue?.code === 'custom' && issue.params?.code === 'too_large'
  throw new TroupeError(tooLarge ? 'too_large' : 'bad_request', sentenceOf(issues, place))
}
