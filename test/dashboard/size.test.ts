import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { buildDashboard } from '../../dashboard/build/build-dashboard.ts'
import { DASHBOARD_FOLDER } from '../../api/dashboard/files.ts'
import { saySilently } from '../../dev/say.ts'

const FIRST_BYTES = 180_000
const ALL_BYTES = 300_000
const STYLE_BYTES = 20_000

describe('The size of the dashboard', function () {
  this.timeout(120_000)
  const assets = join(DASHBOARD_FOLDER, 'assets')
  const sizeOf = async (name: string): Promise<number> => (await stat(join(assets, `${name}.br`))).size

  before(() => buildDashboard(saySilently))

  it('what the overview loads first, and all there is, stay below their bounds', async () => {
    const names = (await readdir(assets)).filter((name) => name.endsWith('.js'))
    const sizes = new Map(await Promise.all(names.map(async (name) => [name, await sizeOf(name)] as const)))
    const entry = /assets\/(index-[\w-]+\.js)/.exec(await readFile(join(DASHBOARD_FOLDER, 'index.html'), 'utf8'))?.[1]
    const overview = names.find((name) => name.startsWith('overview-'))
    const first = await importsOf([entry ?? '', overview ?? ''])
    const sum = (list: Iterable<string>): number =>
      [...list].reduce((total, name) => total + (sizes.get(name) ?? NaN), 0)
    expect(sum(first)).to.be.within(50_000, FIRST_BYTES)
    expect(sum(names)).to.be.within(50_000, ALL_BYTES)
  })

  it('its styles are few', async () => {
    const styles = (await readdir(assets)).filter((name) => name.endsWith('.css'))
    const sizes = await Promise.all(styles.map(sizeOf))
    expect(sizes.reduce((one, other) => one + other, 0)).to.be.within(1_000, STYLE_BYTES)
  })

  /** These files and all that they import at once. */
  async function importsOf(begin: string[]): Promise<Set<string>> {
    const found = new Set(begin)
    for (const name of found) {
      const text = await readFile(join(assets, name), 'utf8')
      for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
        found.add(imported ?? '')
    }
    return found
  }
})
