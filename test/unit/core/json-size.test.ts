import { expect } from 'chai'
import { countContainers } from '../../../core/json-size.ts'

describe('countContainers', () => {
  for (const [text, count] of [
    ['', 0],
    ['5', 0],
    ['{}', 1],
    ['[[],{"a":[1]}]', 4],
    ['{"a{[":"[{\\"[","b":"\\\\"}', 1],
    ['["\\\\",[]]', 2],
    ['["é{🎭[",{}]', 2],
    ['"no end {', 0],
    ['"no end \\', 0],
  ] as const) {
    it(`counts ${count} in ${text || 'nothing'}`, () => {
      expect(countContainers(Buffer.from(text))).to.equal(count)
    })
  }
})
