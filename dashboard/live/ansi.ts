/** A part of a text in one style: classes of styles/log.css, or none. */
export interface Piece {
  text: string
  className: string
}

interface Style {
  /** 0 to 7: black, red, green, yellow, blue, magenta, cyan, white. */
  color: number | undefined
  bold: boolean
  dim: boolean
  italic: boolean
  underline: boolean
}

const PLAIN: Style = { color: undefined, bold: false, dim: false, italic: false, underline: false }

// A sequence that sets something, one that names something (a title, a link), or any other. What is unfinished stays text.
const SEQUENCE = /\u001b(?:\[([0-?]*)[ -/]*([@-~]?)|[\]PX^_](?:[^\u0007\u001b]*(?:\u0007|\u001b\\))?|[ -~]?)/g
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g
const WHITE = 7
const COLORS = 8

/** A line of a terminal as parts, each in its style; what would move the cursor is left out. Its time grows with its length. */
export function readAnsi(line: string): Piece[] {
  const pieces: Piece[] = []
  let style = PLAIN
  let end = 0
  const add = (text: string): void => {
    if (text !== '') pieces.push({ text: text.replace(CONTROL, shown), className: classOf(style) })
  }
  for (const { 0: sequence, 1: codes, 2: final, index } of line.matchAll(SEQUENCE)) {
    add(line.slice(end, index))
    if (final === 'm') style = styled(style, codes ?? '')
    end = index + sequence.length
  }
  add(line.slice(end))
  return pieces
}

/** A line of a terminal without colors and control characters. */
export function plainText(line: string): string {
  return line.replace(SEQUENCE, '').replace(CONTROL, shown)
}

/** What overwrites its own line (progress) is shown behind each other. */
function shown(control: string): string {
  return control === '\r' || control === '\n' ? ' ' : ''
}

function styled(before: Style, codes: string): Style {
  let style = before
  const numbers = codes.split(/[;:]/).map(Number)
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0
    if (code === 38 || code === 48) {
      const { color, length } = extendedColor(numbers.slice(at + 1, at + 5))
      if (code === 38) style = { ...style, color }
      at += length
    } else style = withCode(style, code)
  }
  return style
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 3) return { ...style, italic: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 23) return { ...style, italic: false }
  if (code === 24) return { ...style, underline: false }
  if (code === 39) return { ...style, color: undefined }
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, color: code % 10 }
  return style
}

/** A color of 256, or of red, green and blue, as the closest of eight; and how many numbers it took. */
function extendedColor([kind, first = 0, green = 0, blue = 0]: number[]): {
  color: number | undefined
  length: number
} {
  if (kind === 2) return { color: closest(first, green, blue), length: 4 }
  if (kind !== 5) return { color: undefined, length: 0 }
  if (first < 2 * COLORS) return { color: first % COLORS, length: 2 }
  const cube = first - 2 * COLORS
  const isGrey = cube >= 216
  return {
    color: isGrey ? undefined : closest(Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6),
    length: 2,
  }
}

function closest(...channels: [red: number, green: number, blue: number]): number {
  const half = Math.max(...channels) / 2
  return channels.reduce((color, channel, index) => color + (channel > half ? 2 ** index : 0), 0)
}

function classOf({ color, bold, dim, italic, underline }: Style): string {
  // Black and white are each a page's own color in one of its themes.
  const isColored = color !== undefined && color > 0 && color < WHITE
  return [
    isColored ? `ansi-${color}` : '',
    bold ? 'ansi-bold' : '',
    dim ? 'ansi-dim' : '',
    italic ? 'ansi-italic' : '',
    underline ? 'ansi-underline' : '',
  ]
    .filter((name) => name !== '')
    .join(' ')
}
