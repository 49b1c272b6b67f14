import { expect } from 'chai'
import { plainText, readAnsi } from '../../../dashboard/live/ansi.ts'
import { mergeLines, newestLines, type LogLine } from '../../../dashboard/live/log-lines.ts'
import { levelOf, markedPieces, matcherOf } from '../../../dashboard/pages/containers/log-line.ts'

const ESC = '\u001b'

describe('A line of a terminal', () => {
  const styled = (line: string): [string, string][] => readAnsi(line).map(({ text, className }) => [text, className])

  it('is its text where nothing is colored', () => {
    expect(styled('a <b>line</b>')).to.deep.equal([['a <b>line</b>', '']])
    expect(styled('')).to.deep.equal([])
  })

  it('has the eight colors, bright or not, and styles, until they are taken back', () => {
    const line = `${ESC}[32minfo${ESC}[39m ${ESC}[1;91mbad${ESC}[22m still${ESC}[0m ${ESC}[2;3;4mquiet${ESC}[m.`
    expect(styled(line)).to.deep.equal([
      ['info', 'ansi-2'],
      [' ', ''],
      ['bad', 'ansi-1 ansi-bold'],
      [' still', 'ansi-1'],
      [' ', ''],
      ['quiet', 'ansi-dim ansi-italic ansi-underline'],
      ['.', ''],
    ])
  })

  it('has the closest color for one of 256 or of millions, and its own for black and white', () => {
    for (const [codes, className] of [
      ['38;5;9', 'ansi-1'],
      ['38;5;196', 'ansi-1'],
      ['38;5;46;1', 'ansi-2 ansi-bold'],
      ['38;5;244', ''],
      ['38;2;255;170;0', 'ansi-3'],
      ['38:2:30:60:220', 'ansi-4'],
      ['48;5;196;35', 'ansi-5'],
      ['30', ''],
      ['97', ''],
      ['38', ''],
      ['999', ''],
    ]) {
      expect(styled(`${ESC}[${codes}mx`), codes).to.deep.equal([['x', className]])
    }
  })

  it('is without what moves the cursor, names the window or rings', () => {
    const line = `${ESC}[2J${ESC}[10;10H${ESC}]0;title\u0007${ESC}]8;;https://x${ESC}\\link${ESC}]8;;${ESC}\\ 10%\r20%\u0007${ESC}c\u009b1mend`
    expect(plainText(line)).to.equal('link 10% 20%1mend')
    expect(
      readAnsi(line)
        .map(({ text }) => text)
        .join(''),
    ).to.equal(plainText(line))
    expect(plainText(`${ESC}]0;never ends`), 'what is unfinished hides nothing').to.equal('0;never ends')
  })

  it('tells its level', () => {
    expect(levelOf('{"level":50,"msg":"x"}')).to.equal('error')
    expect(levelOf('{"level": 30,"msg":"no error"}')).to.equal('info')
    expect(levelOf('WARN slow')).to.equal('warn')
    expect(levelOf('terror')).to.equal('info')
  })
})

describe('The filter of lines', () => {
  const marked = (line: string, filter: string): [string, boolean][] => {
    const matcher = matcherOf(filter)
    const pieces = markedPieces(readAnsi(line), 'expression' in matcher ? matcher.expression : undefined)
    return pieces.map(({ text, isMatch }) => [text, isMatch])
  }

  it('marks each place that fits, also across colors', () => {
    expect(marked('a.b A.B a-b', 'A.b')).to.deep.equal([
      ['a.b', true],
      [' ', false],
      ['A.B', true],
      [' a-b', false],
    ])
    expect(marked(`on${ESC}[31me two${ESC}[0m`, '/ne t/')).to.deep.equal([
      ['o', false],
      ['n', true],
      ['e t', true],
      ['wo', false],
    ])
    expect(marked('aaa', 'a')).to.deep.equal([['aaa', true]])
    expect(marked('abc', '/x*/')).to.deep.equal([['abc', false]])
  })

  it('says what is wrong with an expression', () => {
    expect(matcherOf('/(/')).to.have.property('problem').that.contains('Unterminated group')
    expect(matcherOf('(')).to.have.property('expression')
    expect(matcherOf('')).to.deep.equal({})
  })

  it('loses nothing of a line, whatever it marks', () => {
    const line = `${ESC}[31mab${ESC}[32mcabca${ESC}[1mbc${ESC}[0m`
    for (const filter of ['a', 'bc', 'abc', '/a|b/', '/$/', '/./', '/.*/']) {
      const pieces = marked(line, filter)
      expect(pieces.map(([text]) => text).join(''), filter).to.equal('abcabcabc')
      expect(pieces.every(([text]) => text !== '')).to.equal(true)
    }
  })
})

describe('Lines of several logs', () => {
  let key = 0
  const line = (second: number, source: string, message = ''): LogLine => {
    const timestamp = `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000000Z`
    return { key: ++key, source, timestamp, sortedBy: timestamp, message, text: message, isNote: false }
  }
  const told = (lines: LogLine[]): string[] =>
    lines.map(({ source, timestamp }) => source + Number(timestamp.slice(17, 19)))

  it('are in the order of their times, however they arrive; those of one time as they came', () => {
    let lines: LogLine[] = []
    for (const fresh of [
      [line(1, 'a'), line(5, 'a'), line(9, 'a')],
      [line(2, 'b'), line(5, 'b'), line(7, 'b')],
      [],
      [line(10, 'a'), line(8, 'b'), line(9, 'b')],
    ]) {
      lines = mergeLines(lines, fresh)
    }
    expect(told(lines)).to.deep.equal(['a1', 'b2', 'a5', 'b5', 'b7', 'b8', 'a9', 'b9', 'a10'])
  })

  it('are as many as a page can keep, the newest', () => {
    const many = Array.from({ length: 20_010 }, () => line(1, 'a'))
    expect(newestLines(many)).to.deep.equal(many.slice(10))
    const large = Array.from({ length: 5 }, () => line(1, 'a', 'x'.repeat(10_000_000)))
    expect(newestLines(large)).to.have.length(4)
    expect(newestLines(many.slice(0, 5))).to.deep.equal(many.slice(0, 5))
  })
})
