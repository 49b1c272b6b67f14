import { expect } from 'chai'
import { terminalSafe } from '../../../cli/terminal-safe.ts'

describe('Text for a terminal', () => {
  it('keeps colors, line breaks, tabs and all letters', () => {
    const text = 'a\tb\n\u001b[1;31mrot\u001b[0m ä 日本 👍'
    expect(terminalSafe(text)).to.equal(text)
  })

  it('has no control sequences', () => {
    const title = '\u001b]0;another title\u0007'
    const clear = '\u001b[2J\u001b[H'
    expect(terminalSafe(`a${title}b${clear}c\rd\u009b2Je`)).to.equal('a]0;another titleb[2J[Hcd2Je')
  })
})
