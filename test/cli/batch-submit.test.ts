import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Troupe } from '../../client/index.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { commandLine } from './command.ts'

const ROWS = 3_000

describe('Command line: batches from files', function () {
  this.timeout(300_000)
  let service: TestService
  let proxy: Proxy
  let folder: string
  let client: Troupe
  let cli: ReturnType<typeof commandLine>
  before(async () => {
    service = await startTestService()
    proxy = await startProxy(service.api.port)
    folder = await mkdtemp(join(tmpdir(), 'troupe-cli-'))
    client = new Troupe({ url: service.api.url })
    cli = commandLine({ TROUPE_URL: service.api.url })
  })
  after(async () => {
    await proxy?.close()
    await service?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  async function file(name: string, text: string): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }

  const csv = (name: string, rows: number): Promise<string> =>
    file(name, `row,text\n${Array.from({ length: rows }, (_, row) => `${row},"text, ${row}"`).join('\n')}\n`)

  const countTasks = (batchId: string): Promise<number> =>
    service.store.executions.countDocuments({ batch_id: batchId })

  async function expectRows(batchId: string, rows: number): Promise<void> {
    const { inputs, task_count } = await client.batches.get(batchId)
    expect(task_count).to.equal(rows)
    expect(inputs.tasks).to.deep.equal(Array.from({ length: rows }, (_, row) => ({ row, text: `text, ${row}` })))
    expect(await countTasks(batchId)).to.equal(rows)
  }

  const submit = (path: string, ...more: string[]): string[] => [
    'batch',
    'submit',
    path,
    '--agent',
    'instant',
    '--map',
    'row=row:number',
    '--map',
    'text',
    ...more,
  ]

  it(`continues a submission of ${ROWS} rows after each kill -9, with each row once and in order`, async () => {
    const path = await csv('killed.csv', ROWS)
    const args = submit(path, '--chunk', '20')
    const dryRun = await cli.troupe(...args, '--dry-run')
    const { batch_id: batchId, tasks } = JSON.parse(dryRun.stdout) as { batch_id: string; tasks: number }
    expect(tasks).to.equal(ROWS)
    expect(await countTasks(batchId)).to.equal(0)
    for (const share of [0.2, 0.4, 0.6]) {
      const { child, ended } = cli.start(args)
      await eventually(
        () => countTasks(batchId),
        (count) => count >= ROWS * share,
        120_000,
      )
      child.kill('SIGKILL')
      expect((await ended).signal).to.equal('SIGKILL')
    }
    const before = await countTasks(batchId)
    expect(before).to.be.within(ROWS * 0.6, ROWS - 1)
    const last = await cli.troupe(...args, '--json')
    expect(last.code).to.equal(0)
    expect(JSON.parse(last.stdout)).to.deep.equal({
      batch_id: batchId,
      status: 'completed',
      summary: { total_expected: ROWS, recorded: ROWS, succeeded: ROWS, failed: 0 },
    })
    expect(last.stderr).to.match(/[\d,]+ tasks had already been submitted/)
    await expectRows(batchId, ROWS)
  })

  it('stops at Ctrl-C after the current chunk, prints the progress, and continues when repeated', async () => {
    const path = await csv('interrupted.csv', 1_000)
    const args = submit(path, '--chunk', '20', '--id', 'interrupted-batch')
    const { child, ended } = cli.start(args)
    await eventually(
      () => countTasks('interrupted-batch'),
      (count) => count >= 100,
    )
    child.kill('SIGINT')
    const { code, stderr } = await ended
    expect(code).to.equal(130)
    const [, said = ''] = /Submitted ([\d,]+) of 1,000 tasks\. Repeat the command to continue/.exec(stderr) ?? []
    expect(Number(said.replace(',', ''))).to.equal(await countTasks('interrupted-batch'))
    expect((await cli.troupe(...args)).code).to.equal(0)
    await expectRows('interrupted-batch', 1_000)
  })

  it('retries a submission until the network is back', async () => {
    const path = await csv('cut.csv', 1_000)
    const args = submit(path, '--chunk', '20', '--id', 'cut-batch', '--url', `http://127.0.0.1:${proxy.port}`)
    const { ended } = cli.start(args)
    for (const count of [100, 300, 600]) {
      await eventually(
        () => countTasks('cut-batch'),
        (tasks) => tasks >= count,
      )
      proxy.cut()
      setTimeout(() => proxy.mend(), 300)
    }
    expect((await ended).code).to.equal(0)
    await expectRows('cut-batch', 1_000)
  })

  it('exits 1 when tasks failed, groups the failures, and runs only them again', async () => {
    const lines = [
      { gate: 'cli', value: 1 },
      { gate: 'cli', fail: true },
      { gate: 'cli', fail: true },
    ]
    const path = await file('failing.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    await service.open('cli')
    const { code, stdout, stderr } = await cli.troupe('batch', 'submit', path, '-a', 'gated')
    expect(code).to.equal(1)
    const [id = '', status, summary] = stdout.trim().split('\t')
    expect([status, summary]).to.deep.equal(['completed', '1 succeeded, 2 failed'])
    expect(stderr).to.include('2 × the gate opened and it failed')
    const retried = await cli.troupe('batch', 'retry', id, '--json')
    expect(retried.code).to.equal(1)
    const { batch_id, summary: again } = JSON.parse(retried.stdout) as { batch_id: string; summary: object }
    expect(again).to.deep.include({ total_expected: 2, failed: 2 })
    expect((await client.batches.get(batch_id)).inputs.tasks).to.deep.equal(lines.slice(1))
    // The same command finds the same batch.
    await cli.troupe('batch', 'retry', id)
    expect(await countTasks(batch_id)).to.equal(2)
  })

  it('writes failed tasks to a file that can be corrected and submitted again', async () => {
    await service.open('mended')
    const rows = ['row,gate,fail', ...Array.from({ length: 40 }, (_, row) => `${row},mended,${row % 10 === 0}`)]
    const path = await file('broken.csv', `${rows.join('\n')}\n`)
    const { code, stdout, stderr } = await cli.troupe('batch', 'submit', path, '-a', 'gated')
    expect(code).to.equal(1)
    expect(stderr).to.include('To correct their inputs')
    const [id = ''] = stdout.split('\t')
    const output = join(folder, 'failed.csv')
    const saved = await cli.troupe('batch', 'results', id, '--failed', '--inputs', '-o', output)
    expect(saved.stderr).to.include('Wrote 4 tasks to')
    const text = await readFile(output, 'utf8')
    expect(text).to.equal('row,gate,fail\n0,mended,true\n10,mended,true\n20,mended,true\n30,mended,true\n')
    const mended = await file('mended.csv', text.replaceAll('true', 'false'))
    expect((await cli.troupe('batch', 'submit', mended, '-a', 'gated')).code).to.equal(0)
  })

  it('writes results in the order of submission, as JSON lines and as CSV', async () => {
    const path = await file('results.jsonl', '{"text":"a,b"}\n{"text":"c"}\n')
    const submitted = await cli.troupe('batch', 'submit', path, '-a', 'upper', '--json')
    const { batch_id: id } = JSON.parse(submitted.stdout) as { batch_id: string }
    const printed = await cli.troupe('batch', 'results', id)
    const results = printed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { inputs: object; index: number })
    expect(results.map(({ inputs }) => inputs)).to.deep.equal([{ text: 'a,b' }, { text: 'c' }])
    const output = join(folder, 'results.csv')
    expect((await cli.troupe('batch', 'results', id, '-o', output)).stderr).to.include('2 results')
    const [header, first = '', second] = (await readFile(output, 'utf8')).trim().split('\n')
    expect(header).to.equal('index,task_id,status,error,inputs,result')
    expect(first).to.match(/^0,[^,]+,success,,"\{""text"":""a,b""\}","?\{""result"":""A,B""\}"?$/)
    expect(second).to.match(/^1,/)
    const failed = await cli.troupe('batch', 'results', id, '--failed')
    expect(failed).to.deep.include({ code: 0, stdout: '' })
  })

  it('adds the rows of a file with detected types, once even if the command is repeated', async () => {
    const path = await file('more.csv', 'row,code,even\n1,01,false\n2,02,true\n')
    await cli.troupe('batch', 'submit', await file('some.jsonl', '{"row":0}\n'), '-a', 'instant', '--id', 'growing')
    for (const told of ['Added 2 tasks.', '2 tasks had already been added.']) {
      const { code, stdout, stderr } = await cli.troupe('batch', 'add', 'growing', path, '--json')
      expect({ code, total: JSON.parse(stdout).summary.total_expected }).to.deep.equal({ code: 0, total: 3 })
      expect(stderr.split('\n').filter((line) => /added/i.test(line))).to.deep.equal([told])
    }
    const { stdout } = await cli.troupe('batch', 'add', 'growing', path, '--json', '--no-wait')
    expect(JSON.parse(stdout)).to.deep.equal({ batch_id: 'growing', added: 0, skipped: 2 })
    const { inputs } = await client.batches.get('growing')
    const added = [
      { row: 1, code: '01', even: false },
      { row: 2, code: '02', even: true },
    ]
    expect(inputs.tasks).to.deep.equal([{ row: 0 }, ...added])
    expect((await cli.troupe('batch', 'add', 'nothing', path)).code).to.equal(4)
  })

  it('names the invalid line of a file and submits nothing', async () => {
    const wrong: [name: string, text: string, args: string[], told: RegExp][] = [
      ['type.csv', 'n\n1\nx\n', ['-m', 'n=n:number'], /line 3: column "n" contains "x", which is not of type number/],
      ['fields.csv', 'a,b\n1,2\n3\n', [], /line 3: .*expect 2, got 1/],
      ['column.csv', 'a,b\n1,2\n', ['-m', 'c'], /Column "c" does not exist; the columns are: a, b/],
      ['twice.csv', 'a,a\n1,2\n', [], /Two columns have the name "a"/],
      ['syntax.jsonl', '{"a":1}\n{"a":\n', [], /line 2: .*JSON/],
      ['array.jsonl', '[1]\n', [], /line 1: a task must be a JSON object/],
      ['object.json', '{"a":1}', [], /must contain an array/],
      ['empty.csv', 'a,b\n', [], /contains no tasks/],
    ]
    for (const [name, text, args, told] of wrong) {
      const path = await file(name, text)
      const { code, stderr, stdout } = await cli.troupe('batch', 'submit', path, '-a', 'instant', '--id', name, ...args)
      expect({ code, stdout }, name).to.deep.equal({ code: 6, stdout: '' })
      expect(stderr, name).to.match(told)
      expect(await countTasks(name)).to.equal(0)
    }
    const missing = await cli.troupe('batch', 'submit', join(folder, 'missing.csv'), '-a', 'instant')
    expect(missing.code).to.equal(6)
    expect(missing.stderr).to.include('the file does not exist')
  })
})
