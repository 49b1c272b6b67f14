import { expect } from 'chai'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import {
  request,
  startTestService,
  type Answer,
  type TestService,
  type TestServiceOptions,
} from '../support/service.ts'

/** The part of the served OpenAPI document that answers are held against. */
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/

/** A test service whose every answer is held against the OpenAPI document that it serves. */
export async function startScene(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options)
  return Object.assign(service, { request: await conforming(service.api.url) })
}

/** Requests to a service that fail when an answer is not what the served OpenAPI document says. */
export async function conforming(url: string): Promise<TestService['request']> {
  const { body: document } = await request(url, 'GET', '/openapi.json')
  const check = answerCheck(document as Document)
  return async (method, path, body, headers) => {
    const answer = await request(url, method, path, body, headers)
    check(method, path, answer)
    return answer
  }
}

/** Checks one answer: its headers, its documented status, and its body. */
function answerCheck(document: Document): (method: string, path: string, answer: Answer) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': ISO_UTC } })
  ajv.addSchema(document, 'openapi')
  const validators = new Map<string, ValidateFunction>()
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, shape: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    .sort((one, other) => one.template.split('{').length - other.template.split('{').length)

  const validatorOf = (template: string, method: string, status: number): ValidateFunction => {
    const path = ['paths', template, method, 'responses', String(status), 'content', 'application/json', 'schema']
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#/${pointer}` })
    validators.set(pointer, known)
    return known
  }

  return (verb, path, { status, headers, body }) => {
    const what = `${verb} ${path} → ${status} ${JSON.stringify(body)?.slice(0, 500)}`
    expect(headers.get('x-request-id'), what).to.be.a('string')
    expect(headers.get('content-type'), what).to.match(/^application\/json(;|$)/)
    if (status !== 200) {
      expect(Object.keys(body as object), what).to.deep.equal(['detail'])
      expect(body.detail, what).to.be.a('string').and.not.equal('')
    }
    const method = verb.toLowerCase()
    const [plain = ''] = path.split('?')
    const template = templates.find(({ shape }) => shape.test(plain))?.template
    const operation = template === undefined ? undefined : document.paths[template]?.[method]
    if (template === undefined || operation === undefined) return
    expect(Object.keys(operation.responses), what).to.include(String(status))
    const validate = validatorOf(template, method, status)
    expect(validate(body), `${what}\n${ajv.errorsText(validate.errors)}`).to.equal(true)
  }
}
