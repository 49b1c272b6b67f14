import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseColumnRule } from '../../../cli/column-map.ts'
import { formatOf, readTasks } from '../../../cli/task-file.ts'

describe('Files of tasks', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-tasks-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function tasksOf(name: string, content: string | Buffer, rules?: string[]): Promise<object[]> {
    const path = join(folder, name)
    await writeFile(path, content)
    const file = { path, format: formatOf(name), delimiter: undefined, rules: rules?.map(parseColumnRule) }
    const tasks: object[] = []
    for await (const task of readTasks(file)) tasks.push(task)
    return tasks
  }

  it('are CSV with quotes, line breaks in values, empty lines and a byte order mark', async () => {
    const text = '\ufefftext,note\r\n"a ""b"", c","line\nbreak"\r\n\r\nd,\r\n'
    expect(await tasksOf('quoted.csv', text)).to.deep.equal([
      { text: 'a "b", c', note: 'line\nbreak' },
      { text: 'd', note: '' },
    ])
  })

  it('have a detected delimiter', async () => {
    for (const delimiter of [';', '\t', '|', ',']) {
      const text = ['a', 'b', 'c'].join(delimiter) + '\n' + ['1', '2', '3'].join(delimiter)
      expect(await tasksOf('delimited.csv', text)).to.deep.equal([{ a: 1, b: 2, c: 3 }])
    }
  })

  it('have the names and types of --map rules', async () => {
    const rules = ['a=count:number', 'b:boolean', 'c=data:json', 'd']
    const tasks = await tasksOf('typed.csv', 'a,b,c,d,e\n1.5,Yes,"{""x"":[1]}", text ,left out\n,,,,\n', rules)
    expect(tasks).to.deep.equal([
      { count: 1.5, b: true, data: { x: [1] }, d: ' text ' },
      { count: null, b: null, data: null, d: '' },
    ])
  })

  it('have types detected from their first cells, and a later cell of another type is an error', async () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => `${row},true,0${row},"[${row}]"`)
    const text = ['n,flag,code,list', ...rows].join('\n')
    const tasks = await tasksOf('found.csv', `${text}\n-2.5,FALSE,12,{}`)
    expect(tasks[7]).to.deep.equal({ n: 7, flag: true, code: '07', list: [7] })
    expect(tasks.at(-1)).to.deep.equal({ n: -2.5, flag: false, code: '12', list: {} })
    const failure = await tasksOf('late.csv', `${text}\nn/a,true,12,{}`).catch((error: unknown) => error)
    expect(failure)
      .to.have.property('message')
      .that.includes('line 1002: column "n" contains "n/a", which is not of type number')
  })

  it('name an invalid --map rule', () => {
    expect(() => parseColumnRule('a=b:numbr')).to.throw(/the type must be one of text, number, boolean, json/)
    expect(() => parseColumnRule('=b')).to.throw(/use column=field:type/)
    expect(parseColumnRule('a:b=c:json')).to.deep.equal({ column: 'a:b', field: 'c', type: 'json' })
  })

  it('keep keys that objects treat in a special way', async () => {
    const [task] = await tasksOf('keys.csv', '__proto__,constructor\n1,2\n')
    expect(JSON.stringify(task)).to.equal('{"__proto__":1,"constructor":2}')
  })

  it('are JSON lines, whatever line separators stand within a text', async () => {
    const lines = [{ text: 'a\u2028b\u2029c' }, { text: 'ä'.repeat(100_000) }]
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`
    expect(await tasksOf('lines.jsonl', text)).to.deep.equal(lines)
  })

  it('are JSON arrays', async () => {
    expect(await tasksOf('array.json', '[{"a":1},\n{"b":2}]')).to.deep.equal([{ a: 1 }, { b: 2 }])
  })

  it('are refused when they are not UTF-8', async () => {
    const latin1 = Buffer.from('text\nGr\xfc\xdfe\n', 'latin1')
    const failure = await tasksOf('latin1.csv', latin1).catch((error: unknown) => error)
    expect(failure).to.have.property('message').that.includes('is not UTF-8')
  })

  it('are rejected when the format is unknown', () => {
    expect(() => formatOf('tasks.txt')).to.throw(/--format/)
  })
})
