import { readFile } from 'node:fs/promises'
import type Router from '@koa/router'
import type { Dependencies } from '../dependencies.ts'
import { openApiDocument } from './openapi.ts'
import { page, startScript } from './page.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI styles elements by attribute.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Files of Swagger UI that the page needs. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const
const swaggerUi = import.meta.resolve('swagger-ui-dist/package.json')
const MAX_AGE_SECONDS = 3_600

/** The interface described for programs and for people. The description itself needs no key. */
export function serveDocumentation(router: Router, { keys }: Pick<Dependencies, 'keys'>): void {
  const document = openApiDocument(!keys.isOpen)
  router.get('/openapi.json', (ctx) => {
    ctx.body = document
  })
  router.get('/docs', (ctx) => {
    ctx.type = 'html'
    ctx.set('Content-Security-Policy', POLICY)
    ctx.body = page
  })
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'js'
    ctx.body = startScript
  })
  for (const name of FILES) {
    const file = new URL(name, swaggerUi)
    router.get(`/docs/${name}`, async (ctx) => {
      ctx.type = name.slice(name.lastIndexOf('.'))
      ctx.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`)
      ctx.body = await readFile(file)
    })
  }
}
