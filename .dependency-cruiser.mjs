import { readFileSync } from 'node:fs'

// What may import what is the table of folders in ARCHITECTURE.md, its first column and its last; each rule below is a row of it.
const ROW = /^\| (?<names>`[^|]+`) +\|[^|]+\| (?<allowed>[^|]+?) +\|$/gm

/** @typedef {{ names: string[], values: string[], types: string[] }} Row what is named may import the values and the types of what. */

/** @returns {Row[]} */
function readTable() {
  const text = readFileSync(new URL('ARCHITECTURE.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(ROW)].map(({ groups }) => ({ names: namesIn(groups.names), allowed: groups.allowed }))
  const all = rows.flatMap(({ names }) => names)
  return rows.map(({ names, allowed }) => {
    const [values, types = ''] = allowed.split('; types of ')
    return { names, values: namesIn(values, all), types: namesIn(types, all) }
  })
}

/** @returns {string[]} `a`, `b` · everything · everything but `a` · nothing. */
function namesIn(cell, all = []) {
  const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  const unknown = all.length > 0 ? names.filter((name) => !all.includes(name)) : []
  if (unknown.length > 0) throw new Error(`ARCHITECTURE.md: the table of folders has no row of ${unknown.join(', ')}.`)
  const isBut = (name) => names.some((but) => name.startsWith(but))
  return cell.startsWith('everything') ? all.filter((name) => !isBut(name)) : names
}

const table = readTable()
if (table.length < 10) throw new Error('ARCHITECTURE.md has no table of folders.')
const every = table.flatMap(({ names }) => names)

/** The files of what is named; folders within that have rows of their own are none of it. */
const pathOf = (names) => `^(${names.map(patternOf).join('|')})`

function patternOf(name) {
  if (!name.endsWith('/')) return `${name}$`
  const inner = every
    .filter((other) => other !== name && other.startsWith(name))
    .map((other) => other.slice(name.length))
  return inner.length === 0 ? name : `${name}(?!${inner.join('|')})`
}

function rulesOf({ names, values, types }) {
  const comment = 'ARCHITECTURE.md, "Folders", says what may import what.'
  const rule = (kind, to) => ({
    ...{ name: `${names[0]} ${kind}`, comment, severity: 'error' },
    ...{ from: { path: pathOf(names) }, to },
  })
  return [
    rule('imports', { path: pathOf(every), pathNot: pathOf([...names, ...values, ...types]) }),
    ...(types.length === 0
      ? []
      : [rule('imports more than types', { path: pathOf(types), dependencyTypesNot: ['type-only'] })]),
  ]
}

export default {
  forbidden: [
    ...table.flatMap(rulesOf),
    { name: 'cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      ...{ name: 'no row in the table', severity: 'error', from: { pathNot: pathOf(every) } },
      to: { path: pathOf(every) },
    },
  ],
  options: {
    tsPreCompilationDeps: 'specify',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|[.]data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
}
