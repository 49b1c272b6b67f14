import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')
/** Rows of the tables of attempts: attempt, what stops it, what holds it. */
const rows = text
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, attempt = '', , heldBy]) => heldBy !== undefined && heldBy !== '' && !/^-+$|^attempt$/.test(attempt))

describe('docs/security.md', () => {
  it('names a test for the defence against each attempt, or says that there is none', () => {
    expect(rows.length).to.be.greaterThan(30)
    for (const [, attempt, , heldBy] of rows) expect(heldBy, attempt).to.match(/`(test|deploy)\/|^the same$|^–/)
  })

  it('names files that exist', () => {
    const files = [...text.matchAll(/`((?:test|deploy|api|agents)\/[\w./-]+)`/g)].map(([, path]) => path as string)
    expect(files.length).to.be.greaterThan(30)
    expect(files.filter((path) => !existsSync(new URL(`../../../${path}`, import.meta.url)))).to.deep.equal([])
  })
})
