import { expect } from 'chai'
import { openApiDocument } from '../../api/docs/openapi.ts'
import { endpoints } from '../../contracts/endpoints.ts'
import { momentSchema } from '../../contracts/fields.ts'
import { streams } from '../../contracts/streams.ts'
import { momentOf } from '../../core/moment.ts'
import { startApp, type AppScene } from './app-scene.ts'

describe('OpenAPI document', () => {
  const document = openApiDocument()
  const { paths = {}, components = {} } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    (['get', 'post', 'delete'] as const).flatMap((method) => {
      const operation = methods[method]
      return operation === undefined ? [] : [{ path, method, operation }]
    }),
  )
  const parametersOf = ({ parameters = [] }: (typeof operations)[number]['operation']) =>
    parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []))

  it('has each endpoint under an id of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids).to.have.length(endpoints.length)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('refers only to schemas that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    const known = Object.keys(components.schemas ?? {}).map((name) => `#/components/schemas/${name}`)
    expect(references).not.to.deep.equal([])
    expect(known).to.include.members(references)
  })

  it('describes each parameter of a path', () => {
    for (const { path, operation } of operations) {
      const inPath = parametersOf(operation)
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => `{${name}}`)
      expect(inPath, path).to.deep.equal(path.match(/\{\w+\}/g) ?? [])
    }
  })

  it('says what a query takes and what it means when it is left out', () => {
    const limit = parametersOf(paths['/api/traces']?.get ?? {}).find(({ name }) => name === 'limit')
    expect(limit).to.include({ in: 'query' }).and.not.to.have.property('required', true)
    expect(limit?.schema).to.include({ type: 'integer', minimum: 1, maximum: 1000, default: 100 })
  })

  it('says how large a number in a query may be, within the digits that are read', () => {
    for (const { path, operation } of operations) {
      for (const { name, schema } of parametersOf(operation)) {
        if (typeof schema === 'object' && 'type' in schema && schema.type === 'integer')
          expect(schema.maximum, `${name} of ${path}`).to.be.a('number').and.to.be.below(1e15)
      }
    }
  })

  it('says how many parts a duration may have', () => {
    const pattern = new RegExp(momentSchema.anyOf[0]?.pattern ?? '')
    for (const parts of [1, 10, 11]) {
      const text = '1h'.repeat(parts)
      expect(pattern.test(text), text).to.equal(momentOf(text, new Date()) !== undefined)
    }
  })

  it('declares what a submission can answer', () => {
    expect(Object.keys(paths['/api/prompts']?.post?.responses ?? {})).to.deep.equal([
      '200',
      '400',
      '401',
      '403',
      '404',
      '405',
      '408',
      '409',
      '413',
      '500',
      '502',
      '503',
    ])
  })

  it('tells people about every stream and message', () => {
    for (const { path, messages } of streams) {
      expect(document.info.description).to.include(path)
      for (const message of messages) expect(components.schemas).to.include.keys(message.meta()?.id ?? '')
    }
  })

  describe('and the service', () => {
    let scene: AppScene
    before(async () => {
      scene = await startApp()
    })
    after(() => scene.close())

    it('have the same endpoints', async () => {
      for (const { path, method } of operations) {
        const { status, body } = await scene.request(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'none'))
        expect(JSON.stringify(body), `${method} ${path}`).not.to.match(/The path .* does not exist/)
        expect(status, `${method} ${path}`).not.to.equal(405)
      }
    })

    it('is shown to people by a page that asks nothing of any other server', async () => {
      const page = await fetch(`${scene.url}/docs`)
      expect(page.headers.get('content-security-policy')).to.match(/^default-src 'none';/)
      const html = await page.text()
      const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string)
      expect(files).to.have.length(5)
      for (const file of files) {
        const response = await fetch(new URL(file, `${scene.url}/docs`))
        expect([file, response.status, (await response.arrayBuffer()).byteLength > 100]).to.deep.equal([
          file,
          200,
          true,
        ])
      }
    })

    it('say that a key is needed where it is', async () => {
      const keyed = await startApp({ SERVICE_API_KEY: 'right' })
      const { body } = await keyed.request('GET', '/openapi.json')
      expect(body.security).to.deep.equal([{ apiKey: [] }, { bearer: [] }])
      expect(document.security).to.deep.equal([{ apiKey: [] }, { bearer: [] }, {}])
      await keyed.close()
    })

    it('is served', async () => {
      expect((await scene.request('GET', '/openapi.json')).body).to.deep.equal(JSON.parse(JSON.stringify(document)))
    })
  })
})
