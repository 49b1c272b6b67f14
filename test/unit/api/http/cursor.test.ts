import { expect } from 'chai'
import { decodeCursor, encodeCursor, pageOf } from '../../../../api/http/cursor.ts'
import { codeOf } from '../../../../core/errors.ts'

describe('cursor', () => {
  const cursor = encodeCursor('jobs', [1_700_000_000_000, 'ä/?'])

  it('is URL-safe text that decodes to the original key', () => {
    expect(cursor).to.match(/^[A-Za-z0-9_-]+$/)
    expect(decodeCursor('jobs', cursor, ['number', 'string'])).to.deep.equal([1_700_000_000_000, 'ä/?'])
  })

  for (const [what, list, text] of [
    ['another list', 'prompts', cursor],
    ['noise', 'jobs', 'zz'],
    ['nothing', 'jobs', ''],
    ['a cursor with something behind it', 'jobs', `${cursor}A`],
    ['JSON of another shape', 'jobs', Buffer.from('["jobs","a","b"]').toString('base64url')],
    ['JSON that is no list', 'jobs', Buffer.from('{"jobs":1}').toString('base64url')],
    ['a key that is too long', 'jobs', encodeCursor('jobs', [1, 'a', 'b'])],
  ] as const) {
    it(`refuses ${what}`, () => {
      let code: unknown
      try {
        decodeCursor(list, text, ['number', 'string'])
      } catch (error) {
        code = codeOf(error)
      }
      expect(code).to.equal('bad_request')
    })
  }
})

describe('a page', () => {
  const page = (found: number[]) => pageOf('numbers', found, 2, (number) => [number])

  it('ends with the place of its last item where the list goes on', () => {
    expect(page([5, 6, 7])).to.deep.equal({ items: [5, 6], next_cursor: encodeCursor('numbers', [6]) })
  })

  it('has no place to go on from at the end of the list', () => {
    expect(page([5, 6])).to.deep.equal({ items: [5, 6], next_cursor: null })
    expect(page([])).to.deep.equal({ items: [], next_cursor: null })
  })
})
