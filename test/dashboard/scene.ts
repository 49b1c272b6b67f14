import type { Browser, BrowserContextOptions } from 'playwright-core'
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts'
import { openPage, startBrowser, type Watched } from './browser.ts'

/** A service and a browser for the tests of a `describe`; both are there when its tests begin. */
export interface DashboardScene {
  service: TestService
  browser: Browser
  /** Opens a page of the service in a context of its own. */
  open: (path: string, options?: BrowserContextOptions) => Promise<Watched>
}

/** Starts both before the tests of the `describe` that calls it, and ends them after. */
export function dashboardScene(options: TestServiceOptions = {}): DashboardScene {
  const scene = {
    open: (path, context) => openPage(scene.browser, scene.service.api.url + path, context),
  } as DashboardScene
  before(async function () {
    scene.browser = await startBrowser(this)
    scene.service = await startTestService(options)
  })
  after(async () => {
    await scene.browser?.close()
    await scene.service?.stop()
  })
  return scene
}
