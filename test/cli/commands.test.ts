import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { Troupe } from '../../client/index.ts'
import { budget } from '../../core/budget.ts'
import { startProxy } from '../support/proxy.ts'
import { eventually, startTestService, type TestService } from '../support/service.ts'
import { commandLine } from './command.ts'

const KEY = 'a-key-of-the-test'

describe('Command line', function () {
  this.timeout(90_000)
  let service: TestService
  let client: Troupe
  let folder: string
  let cli: ReturnType<typeof commandLine>
  before(async () => {
    service = await startTestService({ env: { SERVICE_API_KEY: KEY } })
    client = new Troupe({ url: service.api.url, key: KEY })
    folder = await mkdtemp(join(tmpdir(), 'troupe-cli-'))
    cli = commandLine({ TROUPE_URL: service.api.url, TROUPE_KEY: KEY })
  })
  after(async () => {
    await service?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('runs an agent: its output on stdout, what happens on stderr', async () => {
    const { code, stdout, stderr } = await cli.troupe('run', 'upper', '-i', 'text=loud')
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: 'LOUD\n' })
    expect(stderr)
      .to.match(/^\s+0\.00 s\s+upper\s+starts/m)
      .and.match(/upper\s+ends/)
  })

  it('takes inputs from options, a file and stdin, as JSON when they are valid JSON', async () => {
    const { stdout } = await cli.troupe('run', 'instant', '-i', 'n=7', '-i', 'list=[1,"a"]', '-i', 'text=a=b', '-q')
    expect(JSON.parse(stdout)).to.deep.equal({ n: 7, list: [1, 'a'], text: 'a=b' })
    const input = '{"n":1,"from":"stdin"}'
    const piped = await cli.start(['run', 'instant', '--inputs', '-', '-i', 'n=2', '-q'], { input }).ended
    expect(JSON.parse(piped.stdout)).to.deep.equal({ n: 2, from: 'stdin' })
    const broken = await cli.start(['run', 'instant', '--inputs', '-'], { input: '{"n":' }).ended
    expect(broken.code).to.equal(6)
    expect(broken.stderr).to.include('stdin is not valid JSON')
  })

  it('keeps every digit of long numbers in inputs and outputs', async () => {
    const inputs = '{"id":9007199254740993,"list":[12345678901234567890]}'
    const given = ['--inputs', '-', '-i', 'more=18446744073709551615', '-q']
    const { stdout } = await cli.start(['run', 'instant', ...given, '--json'], { input: inputs }).ended
    const wanted = `${inputs.slice(0, -1)},"more":18446744073709551615}`
    expect(stdout).to.include(`"outputs":${wanted}`)
    const file = join(folder, 'digits.jsonl')
    await writeFile(file, `${inputs}\n`)
    const id = `digits-${randomUUID()}`
    expect((await cli.troupe('batch', 'submit', file, '--agent', 'instant', '--id', id, '-q')).code).to.equal(0)
    const results = await cli.troupe('batch', 'results', id)
    expect(results.stdout).to.include(`"inputs":${inputs}`).and.include(`"result":${inputs}`)
    const repaired = await cli.troupe('batch', 'results', id, '--inputs', '-o', join(folder, 'digits.csv'))
    expect(repaired.code).to.equal(0)
    expect(await readFile(join(folder, 'digits.csv'), 'utf8')).to.equal(
      'id,list\n9007199254740993,[12345678901234567890]\n',
    )
  })

  it('runs a chain, in which each agent gets the output of the previous one', async () => {
    const { code, stdout } = await cli.troupe('chain', 'upper', 'instant', '-i', 'text=on', '--json')
    expect(code).to.equal(0)
    expect(JSON.parse(stdout)).to.deep.include({ status: 'completed', outputs: { input: 'ON', text: 'ON' } })
  })

  it('accepts the unique beginning of an id', async () => {
    const { job_id: id } = await client.jobs.run({ pipeline_name: 'instant', inputs: { n: 1 } })
    const short = id.slice(0, 8)
    const got = await cli.troupe('get', short, '--json')
    expect([got.code, JSON.parse(got.stdout).prompt_id]).to.deep.equal([0, id])
    const traced = await cli.troupe('trace', short.toUpperCase(), '--json')
    expect(JSON.parse(traced.stdout)[0]).to.include({ job_id: id, event_type: 'task_start' })
    expect((await cli.troupe('watch', short, '-q')).code).to.equal(0)
    const replayed = await cli.troupe('replay', short, '--json', '-q')
    expect(JSON.parse(replayed.stdout)).to.include({ replay_of: id, status: 'success' })
    const canceled = await cli.troupe('cancel', short)
    expect([canceled.code, canceled.stdout]).to.deep.equal([1, `${id}\talready ended: completed\n`])
    // One more begins so: none of the two is guessed.
    const twin = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
    const document = await service.store.executions.findOne({ _id: id })
    await service.store.executions.insertOne({ ...document!, _id: twin })
    const both = await cli.troupe('get', short)
    expect([both.code, both.stdout]).to.deep.equal([2, ''])
    expect(both.stderr).to.include(id).and.include(twin).and.include('Pass more characters of the id.')
    expect((await cli.troupe('get', id, '--json')).code, 'a whole id is always enough').to.equal(0)
    await service.store.executions.deleteOne({ _id: twin })
    expect((await cli.troupe('get', '0000000f')).code).to.equal(4)
  })

  it('supports --budget, --no-cache and cache-clear', async () => {
    const key = randomUUID()
    const run = async (...more: string[]) => {
      const { stdout } = await cli.troupe('run', 'cached', '-i', `key=${key}`, '--json', '-q', ...more)
      const prompt = JSON.parse(stdout)
      const hit = { job_id: prompt.prompt_id as string, event_type: 'cache_hit' } as const
      return { ...prompt, hits: await service.store.traces.countDocuments(hit) }
    }
    const limited = await run('--budget', 'modelCalls=1,usd=0.5')
    expect(limited).to.include({
      status: 'failed',
      error:
        'The budget of 1 model call does not allow another call: 1 model call spent, and it may need 1 model call.',
    })
    expect(limited.budget.limits).to.include({ modelCalls: 1, usd: 0.5 })
    expect(await run()).to.include({ status: 'completed', hits: 2 })
    expect(await run()).to.include({ hits: 3 })
    expect(await run('--no-cache')).to.include({ status: 'completed', hits: 0 })
    const cleared = await cli.troupe('cache-clear', 'cached', '--yes')
    expect(cleared).to.include({ code: 0 })
    expect(cleared.stdout).to.match(/^Deleted 3 cached results\.$/m)
    expect(await run()).to.include({ hits: 0 })
    expect((await cli.troupe('cache-clear')).code, 'it asks').to.equal(2)
    expect((await cli.troupe('chat', 'cached', 'hi', '--budget', 'modelCalls=1')).code).to.equal(1)
    const file = join(folder, 'limited.jsonl')
    await writeFile(file, '{"key":"a"}\n{"key":"b"}\n')
    const id = `limited-${randomUUID()}`
    const limits = ['--budget', 'modelCalls=3', '--task-budget', 'modelCalls=1', '--no-cache']
    expect((await cli.troupe('batch', 'submit', file, '--agent', 'cached', '--id', id, '-q', ...limits)).code).to.equal(
      1,
    )
    expect((await client.batches.get(id)).budget?.spent.modelCalls).to.equal(2)
    const rules = 'modelCalls=1,ms=60000,warnAt=0.5,onExceeded=answer'
    const ruled = await run('--no-cache', '--budget', rules)
    expect(ruled.budget.limits).to.include({ modelCalls: 1, ms: 60_000 })
    expect(ruled.budget).to.include({ warnAt: 0.5, onExceeded: 'answer' })
    const { stdout: help } = await cli.troupe('run', '--help')
    for (const name of Object.keys(budget.shape)) expect(help).to.include(name)
    const wrong = await cli.troupe('run', 'cached', '--budget', 'a lot')
    expect(wrong.code).to.equal(2)
    expect(wrong.stderr).to.include('Use limits such as usd=0.5')
  })

  it('retries failed tasks with the same budget, or with the one that is passed', async () => {
    const tasks = [{ key: 'a' }, { key: 'b' }]
    const limits = { budget: { modelCalls: 9, warnAt: 0.5 }, task_budget: { tokens: 1 } }
    const failed = async () => {
      const batch_id = `poor-${randomUUID()}`
      await client.batches.submit('cached', { tasks, batch_id, no_cache: true, ...limits })
      await client.batches.wait(batch_id)
      return batch_id
    }
    const retry = async (id: string, ...more: string[]) => {
      const { stdout } = await cli.troupe('batch', 'retry', id, '--json', ...more)
      return client.batches.get((JSON.parse(stdout) as { batch_id: string }).batch_id)
    }
    const first = await failed()
    const again = await retry(first)
    expect(again.budget).to.deep.include({ warnAt: 0.5, onExceeded: 'fail' })
    expect(again.budget?.limits.modelCalls).to.equal(9)
    expect(again.budgets).to.deep.equal(limits)
    expect(again.outputs.summary.failed).to.equal(2)
    // The same batch, and its budget stays what it is.
    expect((await retry(first)).batch_id).to.equal(again.batch_id)
    const { code, stderr } = await cli.troupe('batch', 'retry', first, '--budget', 'modelCalls=10')
    expect(code).to.equal(2)
    expect(stderr).to.include('exists with another budget')
    const richer = await retry(await failed(), '--budget', 'modelCalls=10', '--task-budget', 'tokens=90000')
    expect(richer.budget?.limits.modelCalls).to.equal(10)
    expect(richer.outputs.summary).to.include({ succeeded: 2, failed: 0 })
  })

  it('refuses to retry failed tasks of several agents', async () => {
    const id = `mixed-${randomUUID()}`
    await client.batches.submit('failing', { tasks: [{ message: 'one' }], batch_id: id })
    await client.batches.addTasks(id, { agent_name: 'gated', tasks: [{ gate: id, fail: true }] })
    await service.open(id)
    await client.batches.wait(id)
    const { code, stderr } = await cli.troupe('batch', 'retry', id)
    expect(code).to.equal(2)
    expect(stderr).to.include('failing').and.include('gated')
  })

  it('exits 1 when the work failed, with the error in a sentence', async () => {
    const { code, stdout, stderr } = await cli.troupe('run', 'failing', '-i', 'message=no luck')
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' })
    expect(stderr).to.match(/failed: no luck/)
  })

  it('submits with --detach, watches and cancels an execution, and reports one that has already ended', async () => {
    const { stdout } = await cli.troupe('run', 'patient', '--detach')
    const id = stdout.trim()
    const { child, ended } = cli.start(['watch', id])
    await eventually(
      () => service.counted(id),
      (lines) => lines.includes('begin'),
    )
    expect(await cli.troupe('cancel', id)).to.deep.include({ code: 0, stdout: `${id}\tcanceled\n` })
    const watched = await ended
    expect(child.exitCode).to.equal(1)
    expect(watched.stderr).to.include(`${id} is canceled`)
    const done = await client.prompts.run({ prompt_name: 'instant', inputs: {} })
    const late = await cli.troupe('cancel', done.prompt_id)
    expect(late).to.deep.include({ code: 1, stdout: `${done.prompt_id}\talready ended: completed\n` })
  })

  it('leaves the execution running at Ctrl-C and prints how to follow it, or cancels it with --cancel-on-interrupt', async () => {
    for (const cancels of [false, true]) {
      const { child, ended } = cli.start(['run', 'patient', ...(cancels ? ['--cancel-on-interrupt'] : [])])
      const id = await eventually(
        async () => (await client.jobs.list({ limit: 1 }).page()).items[0],
        (job) => job?.pipeline_name === 'patient' && job.status === 'running',
      ).then((job) => job?.job_id ?? '')
      await eventually(
        () => service.counted(id),
        (lines) => lines.includes('begin'),
      )
      child.kill('SIGINT')
      const { code, stderr } = await ended
      expect(code).to.equal(130)
      expect(stderr).to.include(cancels ? `Canceled ${id}.` : `run "troupe watch ${id}"`)
      expect((await client.prompts.get(id)).status).to.equal(cancels ? 'canceled' : 'running')
      await client.prompts.cancel(id)
    }
  })

  it('prints how to follow the execution even if Ctrl-C comes before the response to the submission', async () => {
    const proxy = await startProxy(service.api.port)
    proxy.slow(1_500)
    try {
      const { child, ended } = cli.start(['run', 'patient', '--url', `http://127.0.0.1:${proxy.port}`])
      const running = await eventually(
        async () => (await client.jobs.list({ limit: 1, status: 'running' }).page()).items[0],
        (job) => job?.pipeline_name === 'patient',
      )
      const id = running?.job_id ?? ''
      child.kill('SIGINT')
      const { code, stderr } = await ended
      expect(code).to.equal(130)
      expect(stderr).to.include('Waiting for the response').and.to.include(`run "troupe watch ${id}"`)
      await client.prompts.cancel(id)
    } finally {
      await proxy.close()
    }
  })

  it('exits with 124 after --timeout while the execution continues', async () => {
    const { code, stderr } = await cli.troupe('run', 'patient', '--timeout', '500ms')
    expect(code).to.equal(124)
    const [id = ''] = /[0-9a-f-]{36}/.exec(stderr) ?? []
    expect((await client.prompts.get(id)).status).to.equal('running')
    await client.prompts.cancel(id)
  })

  it('prints each event once when the network is cut', async () => {
    const proxy = await startProxy(service.api.port)
    try {
      const job = randomUUID()
      const { prompt_id: id } = await client.prompts.create({ prompt_name: 'stepper', inputs: { job } })
      const { child, ended } = cli.start(['watch', id, '--json', '--url', `http://127.0.0.1:${proxy.port}`])
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (text: string) => (stdout += text))
      child.stderr.on('data', (text: string) => (stderr += text))
      await service.open(`${job}-1`)
      await eventually(
        async () => stdout,
        (text) => text.includes('llm_usage'),
      )
      proxy.cut()
      await eventually(
        async () => stderr,
        (text) => text.includes('Connection lost'),
      )
      for (const number of [4, 7]) await service.open(`${job}-${number}`)
      for (const number of [2, 3, 5, 6]) await service.open(`${id}-${number}`)
      proxy.mend()
      expect((await ended).code).to.equal(0)
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id?: number; type?: string })
      const expected: number[] = []
      for await (const event of client.traces.list({ job_id: id })) expected.push(event.id)
      expect(lines.slice(0, -1).map((line) => line.id)).to.deep.equal(expected)
      expect(lines.at(-1)).to.deep.include({ type: 'complete', status: 'completed' })
      expect(stderr).to.include('Reconnected')
    } finally {
      await proxy.close()
    }
  })

  it('lists executions for programs: tab-separated, not truncated, with filters and selected fields', async () => {
    const run = await client.prompts.run({ prompt_name: 'upper', inputs: { text: 'x' } })
    await client.prompts.run({ prompt_name: 'failing', inputs: {} })
    const upper = await cli.troupe('list', '--agent', 'upper', '-n', '1')
    expect(upper.stdout.trim().split('\t').slice(0, 4)).to.deep.equal([
      run.prompt_id,
      'completed',
      'upper',
      run.created_at,
    ])
    const failed = await cli.troupe('list', '--status', 'failed', '--since', '1h', '--fields', 'pipeline_name,status')
    expect(failed.stdout.trim().split('\n')).to.include('failing\tfailed')
    const none = await cli.troupe('list', '--kind', 'chat', '--id', run.prompt_id.slice(0, 8))
    expect(none).to.deep.include({ code: 0, stdout: '' })
    const wrong = await cli.troupe('list', '--status', 'lost')
    expect(wrong.code).to.equal(2)
    expect(wrong.stderr).to.include('status')
    const json = await cli.troupe('list', '--json', '--all', '--fields', 'job_id')
    const { total } = await client.jobs.list().page({ limit: 1 })
    expect(JSON.parse(json.stdout)).to.have.length(total ?? -1)
  })

  it('shows an execution, its events as a tree, and runs it again', async () => {
    const { prompt_id: id } = await client.prompts.run({ prompt_name: 'upper', inputs: { text: 'again' } })
    const shown = await cli.troupe('get', id)
    expect(shown.stdout).to.include('status\tcompleted').and.include('output\tAGAIN')
    const tree = await cli.troupe('trace', id)
    expect(tree.stdout).to.match(/^task_start upper\n {2}task_complete upper/)
    expect((await cli.troupe('trace', id, '--depth', '1')).stdout).to.equal('task_start upper\n')
    expect(await cli.troupe('replay', id)).to.deep.include({ code: 0, stdout: 'AGAIN\n' })
    const changed = await cli.troupe('replay', id.slice(0, 8), '-i', 'text=otherwise', '-q')
    expect(changed).to.deep.include({ code: 0, stdout: 'OTHERWISE\n' })
  })

  it('chats with a message or with each line of stdin', async () => {
    const one = await cli.troupe('chat', 'instant', 'hello')
    expect(one).to.deep.include({ code: 0, stdout: 'hello\n' })
    const several = await cli.start(['chat', 'instant'], { input: 'one\n\ntwo\n' }).ended
    expect(several).to.deep.include({ code: 0, stdout: 'one\ntwo\n' })
  })

  it('lists agents and tools, totals and health', async () => {
    expect((await cli.troupe('agents')).stdout).to.match(/^upper\tactive\tUpper\t/m)
    expect((await cli.troupe('tools', 'stepper')).stdout).to.match(/^one\tstep\tCounts one\.$/m)
    expect((await cli.troupe('metrics')).stdout).to.match(/^total_jobs\t\d+$/m)
    const health = await cli.troupe('health', '--json')
    expect(health.code).to.equal(0)
    expect(JSON.parse(health.stdout)).to.have.property('status', 'ok')
  })

  it('reports each kind of failure with a helpful sentence and its exit code', async () => {
    const gone = await startProxy(service.api.port)
    await gone.close()
    const cases: [args: string[], code: number, told: RegExp][] = [
      [['health', '--key', 'wrong'], 3, /rejects the key from --key.*troupe login/],
      [['health', '--url', `http://127.0.0.1:${gone.port}`], 5, /cannot be reached: ECONNREFUSED.*npm start.*--url/],
      [['get', randomUUID()], 4, /No execution or batch has the id .*troupe list/],
      [['run', 'nobody'], 4, /"nobody"/],
      [['batch', 'watch', 'no-such-batch'], 4, /no-such-batch/],
      [['run', 'instant', '-i', 'novalue'], 2, /use name=value/],
      [['health', '--url', 'not an address'], 2, /is not a valid address of a service/],
      [['cancel'], 2, /Pass ids, or --running/],
      [['cancel', '--running', '--agent', 'nobody'], 0, /Nothing runs/],
      [['list', '--limit', 'many'], 2, /Use a whole number/],
      [
        ['list', '--fields', 'job_id,constructor'],
        2,
        /Field "constructor" does not exist. The fields are: job_id, status/,
      ],
      [['lost'], 2, /unknown command/],
    ]
    for (const [args, code, told] of cases) {
      const outcome = await cli.troupe(...args)
      expect(outcome.code, args.join(' ')).to.equal(code)
      expect(outcome.stderr, args.join(' '))
        .to.match(told)
        .and.not.match(/\n\s+at /)
    }
  })

  it('prints a JSON document with --json, also when it fails', async () => {
    for (const args of [['get', randomUUID()], ['run'], ['health', '--key', 'wrong'], ['run', 'failing']]) {
      const { code, stdout } = await cli.troupe(...args, '--json')
      expect(code, args.join(' ')).to.be.above(0)
      const document = JSON.parse(stdout) as { error: { exit_code?: number } | string }
      if (typeof document.error === 'object') expect(document.error.exit_code).to.equal(code)
    }
  })

  it('saves the login in a file that only its owner can read, and rejects a file that others can read', async () => {
    const TROUPE_CONFIG = join(folder, 'settings/config.json')
    const own = commandLine({ TROUPE_CONFIG })
    const keyless = await own.troupe('health', '--url', service.api.url)
    expect(keyless.code).to.equal(3)
    expect(keyless.stderr).to.include('requires a key')
    const login = await own.start(['login', '--url', service.api.url], { input: `${KEY}\n` }).ended
    expect(login.code).to.equal(0)
    expect((await stat(TROUPE_CONFIG)).mode & 0o777).to.equal(0o600)
    expect((await own.troupe('health')).code).to.equal(0)
    // The key of one address is not shown to another.
    const other = await own.troupe('health', '--url', service.api.url.replace('127.0.0.1', 'localhost'))
    expect(other.stderr).to.include('requires a key')
    await chmod(TROUPE_CONFIG, 0o644)
    const open = await own.troupe('health')
    expect(open.code).to.equal(6)
    expect(open.stderr).to.include(`chmod 600 ${TROUPE_CONFIG}`)
    const keyFile = join(folder, 'key')
    await writeFile(keyFile, `${KEY}\n`)
    const byFile = commandLine({ TROUPE_URL: service.api.url })
    expect((await byFile.troupe('health', '--key-file', keyFile)).code).to.equal(0)
    const wrongLogin = await own.start(['login', '--url', service.api.url], {
      input: 'wrong',
      env: { TROUPE_CONFIG: join(folder, 'none.json') },
    }).ended
    expect(wrongLogin.code).to.equal(3)
  })

  it('follows the events of the service until --timeout', async () => {
    const { child, ended } = cli.start(['events', '--json', '--timeout', '20s'])
    let stdout = ''
    child.stdout.on('data', (text: string) => (stdout += text))
    await eventually(
      async () => {
        await client.prompts.run({ prompt_name: 'instant', inputs: {} })
        return stdout
      },
      (text) => text.includes('task_complete'),
    )
    child.kill('SIGINT')
    expect((await ended).code).to.equal(130)
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).to.include.keys('id', 'job_id', 'event_type')
  })

  it('completes commands and options in bash, and prints scripts for zsh and fish', async () => {
    const { stdout: script } = await cli.troupe('completion', 'bash')
    const completed = async (...words: string[]): Promise<string[]> => {
      const quoted = ['troupe', ...words].map((word) => `'${word}'`).join(' ')
      const code = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _troupe; echo "\${COMPREPLY[@]}"`
      const { stdout } = await promisify(execFile)('bash', ['-c', code])
      return stdout.trim().split(' ')
    }
    expect(await completed('ba')).to.deep.equal(['batch'])
    expect(await completed('batch', 'su')).to.deep.equal(['submit'])
    expect(await completed('batch', 'submit', '--dr')).to.deep.equal(['--dry-run'])
    expect(await completed('run', 'researcher', '--det')).to.deep.equal(['--detach'])
    expect((await cli.troupe('completion', 'zsh')).stdout).to.include('bashcompinit')
    expect((await cli.troupe('completion', 'fish')).stdout).to.match(/^complete -c troupe .* -a batch /m)
    expect((await cli.troupe('completion', 'tcsh')).code).to.equal(2)
  })

  it('exits without an error when its output pipe is closed', async () => {
    const { child, ended } = cli.start(['list', '--all', '--json'])
    child.stdout.destroy()
    const { code, stderr } = await ended
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' })
  })
})
