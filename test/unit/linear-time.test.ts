import { APICallError } from '@ai-sdk/provider'
import { expect } from 'chai'
import { materialOf } from '../../agents/examples/_material.ts'
import assistant from '../../agents/examples/assistant.ts'
import { objectsInText } from '../../agents/structured/json-in-text.ts'
import { toModelError } from '../../agents/models/provider-failure.ts'
import { UNKNOWN_USAGE } from '../../agents/models/usage.ts'
import { readRetryAfter } from '../../agents/models/retry-after.ts'
import { parseJson } from '../../core/exact-json.ts'
import { parseTarget } from '../../core/network-target.ts'
import { scanPage } from '../../agents/tools/page/scan-page.ts'
import { keySentences, measureText } from '../../agents/tools/text-measures.ts'
import { chatQuery } from '../../contracts/agents.ts'
import { decodeCursor } from '../../api/http/cursor.ts'
import { LogParser } from '../../api/containers/log-lines.ts'
import { parseSince } from '../../api/containers/since.ts'
import { plainText, readAnsi } from '../../dashboard/live/ansi.ts'
import { levelOf } from '../../dashboard/pages/containers/log-line.ts'

const SMALL = 16_384
const GROWTH = 8
/** Eight times the text takes a quadratic reader 64 times as long. */
const MAX_RATIO = 24
/** Too short for a ratio to mean anything; a quadratic reader of 128 KB takes seconds. */
const NOTHING_MS = 60

const now = new Date('2026-01-01T00:00:00Z')
const filled = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** What a reader does with text that it refuses is as much its affair as what it does with the rest. */
function attempt(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    expect(error).to.be.instanceOf(Error)
  }
}

/** CPU time of the shortest of several runs: what else the machine does must not count. */
function shortestMs(work: () => unknown): number {
  const times = Array.from({ length: 4 }, () => {
    const before = process.threadCpuUsage()
    attempt(work)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}

function pushLog(tty: boolean, text: string): void {
  const parser = new LogParser()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1_024) {
    const payload = bytes.subarray(at, at + 1_024)
    const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])
    header.writeUInt32BE(payload.length, 4)
    parser.push(tty ? payload : Buffer.concat([header, payload]))
  }
  parser.end()
}

const script = (message: string): unknown =>
  assistant.script?.({ inputs: { message }, messages: [], step: 0, results: [], tools: [], agent: 'assistant' })

function refusalOf(message: string): unknown {
  const error = new APICallError({ message, url: 'http://provider', requestBodyValues: {}, statusCode: 400 })
  return toModelError({ error, name: 'p/m', now, usage: UNKNOWN_USAGE, partialText: '', begun: false })
}

const READERS: [name: string, part: string, read: (text: string) => unknown, end?: string][] = [
  ['a page of <title', '<title', scanPage],
  ['a page of <title>', '<title>', scanPage],
  ['a page of <!doctype', '<!doctype', scanPage],
  ['a page of x<br>', 'x<br>', scanPage],
  ['a page of spaces', ' ', scanPage],
  ['a page of elements that close each other', '<p><b>', scanPage],
  ['a page of closing tags', '</div>', scanPage],
  ['Retry-After of digits', '1', (text) => readRetryAfter({ 'retry-after': text }, now), 'x'],
  ['Retry-After of spaces', ' ', (text) => readRetryAfter({ 'retry-after': `1${text}x` }, now)],
  ['retry-after-ms of digits', '1', (text) => readRetryAfter({ 'retry-after-ms': text }, now), 'x'],
  ['since of digits', '1', (text) => parseSince(text, now), 'x'],
  ['since of durations', '1h', (text) => parseSince(text, now), 'x'],
  ['since with a long fraction', '1', (text) => parseSince(`2026-01-01T00:00:00.${text}`, now), 'x'],
  ['a chat timeout of digits', '1', (text) => chatQuery.parse({ message: 'm', timeout: text }), 'x'],
  ['a chat timeout of dots', '1.', (text) => chatQuery.parse({ message: 'm', timeout: text })],
  ['a framed log without a line feed', 'x', (text) => pushLog(false, text)],
  ['a framed log of short lines', 'x\n', (text) => pushLog(false, text)],
  ['a terminal log without a line feed', 'x', (text) => pushLog(true, text)],
  ['a terminal log of stamps', '2026-01-01T00:00:00.000000000Z ', (text) => pushLog(true, text)],
  ['a cursor', 'x', (text) => decodeCursor('list', text, ['string'])],
  ['JSON of long numbers', '12345678901234567890,', (text) => parseJson(`[${text}1]`), '1,'],
  ['JSON of digits', '1', (text) => parseJson(`["${text}",${text}]`)],
  ['JSON of escapes', '\\\\', (text) => parseJson(`["${text}",12345678901234567890]`)],
  ['JSON of short texts', '"",', (text) => parseJson(`[${text}12345678901234567890]`), '"",'],
  ['a refusal of a provider', 'input token count ', refusalOf],
  ['an answer with an open fence of letters', 'a', (text) => objectsInText('```' + text)],
  ['an answer with an open fence of line feeds', '\n', (text) => objectsInText('```' + text)],
  ['an answer of fences', '```', objectsInText],
  ['a network target', 'a.', parseTarget, '!'],
  ['a request with addresses', 'http://', (text) => materialOf({ message: text })],
  ['an address of dots', '.', (text) => materialOf({ message: `http://${text}` })],
  ['a chat that counts', 'count ', script],
  ['a chat of capitals', 'A', script, '/'],
  ['the words of a text', 'word ', measureText],
  ['the sentences of a text', 'It rained a little. ', keySentences],
  ['a text of line feeds', '\n', keySentences],
  ['a text of marks', '#', keySentences, '!'],
  ['a line of escapes', '\u001b', readAnsi],
  ['a line of colors', '\u001b[31mx', readAnsi],
  ['a line with an endless color', '1;', (text) => readAnsi(`\u001b[${text}`)],
  ['a line of titles that never end', '\u001b]0;x', plainText],
  ['a line with a title that never ends', 'x', (text) => plainText(`\u001b]${text}`)],
  ['a line of levels', '"level": ', levelOf],
]

describe('readers of foreign text', () => {
  for (const [name, part, read, end = ''] of READERS) {
    it(`${name}: eight times the text takes about eight times as long`, () => {
      const [small, large] = [SMALL, SMALL * GROWTH].map((length) => filled(part, length - end.length) + end)
      attempt(() => read(small ?? ''))
      const smallMs = shortestMs(() => read(small ?? ''))
      const largeMs = shortestMs(() => read(large ?? ''))
      if (largeMs > NOTHING_MS) expect(largeMs / smallMs, `${smallMs} ms, then ${largeMs} ms`).to.be.lessThan(MAX_RATIO)
    })
  }
})
