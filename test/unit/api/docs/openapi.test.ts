import { expect } from 'chai'
import { openApiDocument } from '../../../../api/docs/openapi.ts'
import { documentationPage } from '../../../../api/docs/page.ts'
import { endpoints } from '../../../../contracts/endpoints.ts'
import { startApp, type AppScene } from '../http/app-scene.ts'

describe('OpenAPI document', () => {
  const document = openApiDocument()
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

  it('has each endpoint under an id of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids).to.have.length(endpoints.length)
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('refers only to schemas that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(references).not.to.deep.equal([])
    expect(known).to.include.members(references)
  })

  it('describes each parameter of a path', () => {
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
      expect(inPath, path).to.deep.equal(path.match(/\{\w+\}/g) ?? [])
    }
  })

  it('says what a query takes and what it means when it is left out', () => {
    const { parameters } = document.paths['/api/traces']?.get ?? { parameters: [] }
    expect(parameters.find(({ name }) => name === 'limit')).to.deep.include({
      ...{ in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 } },
    })
  })

  it('declares what a submission can answer', () => {
    expect(Object.keys(document.paths['/api/prompts']?.post?.responses ?? {})).to.deep.equal([
      '200',
      '400',
      '401',
      '404',
      '405',
      '409',
      '413',
      '500',
      '502',
      '503',
    ])
  })

  it('is shown to people with every endpoint and stream', () => {
    const page = documentationPage(document)
    for (const { path, operation } of operations) {
      expect(page).to.include(`id="${operation.operationId}"`).and.include(path)
    }
    expect(page).to.include('/ws/batches/{batch_id}')
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => `id="${target}"`)
    for (const target of targets) expect(page).to.include(target)
    expect(page).not.to.match(/(src|href)="https?:/)
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
        expect(JSON.stringify(body), `${method} ${path}`).not.to.match(/There is nothing/)
        expect(status, `${method} ${path}`).not.to.equal(405)
      }
    })

    it('is served', async () => {
      expect((await scene.request('GET', '/openapi.json')).body).to.deep.equal(JSON.parse(JSON.stringify(document)))
    })
  })
})
