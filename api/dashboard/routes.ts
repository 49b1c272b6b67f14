import type Router from '@koa/router'
import type { Context } from 'koa'
import { TroupeError } from '../../core/errors.ts'
import { DASHBOARD_FOLDER, dashboardFiles, type DashboardFile } from './files.ts'

/** Allows no foreign and no inline scripts, so that text written by a model can never run. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Paths of the dashboard's pages; all serve the same file, which selects the page by its path. */
const PAGES = ['executions', 'batches', 'agents', 'playground', 'live', 'containers', 'compare', 'service', 'limits']

/** Routes of the dashboard's files, which need no key; the data that they load does. @param folder - folder of the build. */
export function serveDashboard(router: Router, folder = DASHBOARD_FOLDER): void {
  const files = dashboardFiles(folder)

  async function sendPage(ctx: Context): Promise<void> {
    const page = (await files())?.get('/index.html')
    if (page === undefined) {
      throw new TroupeError('not_found', 'The dashboard is not built; run "npm run build:dashboard".')
    }
    ctx.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    // Disables DNS prefetching: the host name of a link in model output could leak information.
    ctx.set('X-DNS-Prefetch-Control', 'off')
    ctx.set('Cache-Control', 'no-cache')
    send(ctx, page)
  }

  router.get('/', sendPage)
  for (const page of PAGES) {
    router.get(`/${page}`, sendPage)
    router.get(`/${page}/:id`, sendPage)
  }
  router.get('/assets/:name', async (ctx) => {
    const file = (await files())?.get(ctx.path)
    if (file === undefined) throw new TroupeError('not_found', `The path ${ctx.path.slice(0, 200)} does not exist.`)
    // The file name contains a hash of the content.
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    send(ctx, file)
  })
}

function send(ctx: Context, { type, etag, content, br, gzip }: DashboardFile): void {
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.vary('Accept-Encoding')
  ctx.set('ETag', etag)
  ctx.status = 200
  ctx.type = type
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  const compressed = encoding === 'br' ? br : encoding === 'gzip' ? gzip : undefined
  if (compressed !== undefined) ctx.set('Content-Encoding', encoding as string)
  ctx.body = compressed ?? content
}
