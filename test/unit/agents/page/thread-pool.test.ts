import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect } from 'chai'
import { createThreadPool, type ThreadPool } from '../../../../agents/tools/page/thread-pool.ts'

describe('the thread pool', () => {
  let pool: ThreadPool<string, string>
  const { signal } = new AbortController()

  function open(options: Partial<Parameters<typeof createThreadPool>[0]> = {}): ThreadPool<string, string> {
    const module = new URL('endless-thread.ts', import.meta.url)
    pool = createThreadPool({ module, maxThreads: 1, deadlineMs: 500, idleMs: 60_000, ...options })
    return pool
  }

  afterEach(() => pool.close())

  const failure = (promise: Promise<unknown>): Promise<Error> =>
    promise.then(
      () => expect.fail('it should have failed'),
      (error: Error) => error,
    )

  it('gives what the thread answers, and a sentence for what it throws', async () => {
    const { run } = open()
    expect(await Promise.all(['a', 'b', 'c'].map((input) => run(input, signal)))).to.deep.equal(['A', 'B', 'C'])
    expect((await failure(run('throw', signal))).message).to.equal('not this one')
    expect(await run('d', signal)).to.equal('D')
  })

  it('gives the thread nothing of the environment, where the keys are', async () => {
    expect(Object.keys(process.env)).to.include('PATH')
    expect(await open().run('environment', signal)).to.equal('')
  })

  it('ends a thread that takes too long, and goes on with another', async () => {
    const { run } = open()
    const [endless, next] = [failure(run('endless', signal)), run('next', signal)]
    expect((await endless).message).to.equal('reading it takes longer than 0.5 seconds')
    expect(await next).to.equal('NEXT')
  })

  it('leaves the event loop of the process free meanwhile', async () => {
    const { run } = open({ deadlineMs: 2_000 })
    await run('warm', signal)
    const delays = monitorEventLoopDelay({ resolution: 10 })
    delays.enable()
    await failure(run('endless', signal))
    delays.disable()
    // A thread on the event loop would have kept it for the whole two seconds.
    expect(delays.percentile(99) / 1_000_000).to.be.lessThan(500)
    expect(delays.count).to.be.greaterThan(20)
  })

  it('says that a thread broke down or ran out of memory, and goes on with another', async () => {
    const { run } = open({ deadlineMs: 60_000 })
    expect((await failure(run('crash', signal))).message).to.equal('the thread that read it has ended')
    expect((await failure(run('memory', signal))).message).to.equal('reading it takes too much memory')
    expect(await run('next', signal)).to.equal('NEXT')
  })

  it('stops at once when it is told to, also while it waits for its turn', async () => {
    const { run } = open({ deadlineMs: 60_000 })
    const [first, second] = [new AbortController(), new AbortController()]
    const working = failure(run('endless', first.signal))
    const waiting = failure(run('waiting', second.signal))
    second.abort(new Error('second'))
    expect((await waiting).message).to.equal('second')
    first.abort(new Error('first'))
    expect((await working).message).to.equal('first')
    expect(await run('next', signal)).to.equal('NEXT')
  })
})
