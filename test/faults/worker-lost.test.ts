import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../support/processes.ts'
import { revive } from '../support/revive.ts'
import { eventually, startTestService, untilEnded, type TestService } from '../support/service.ts'
import { FAULT_AGENTS } from './scene.ts'

/** Three workers lost, each noticed within ten seconds, and the time to start them again. */
const CONVICTED_WITHIN_MS = 240_000
/** How long a supervisor lets a worker stand still: longer than it takes to be noticed. */
const STANDS_STILL_MS = 12_000
/** How long a worker may be busy without a pause. */
const BUSY_MS = 10_000

const CASES = [
  { does: 'kills', signal: 'SIGKILL' },
  { does: 'freezes', signal: 'SIGSTOP' },
  // The worker's own watchdog ends it.
  { does: 'blocks', signal: undefined },
] as const

/** What became of a run that takes its worker along, and of those beside it. */
interface Outcome {
  bad: { status: string; error: string | null; begins: number; codes: string[] }
  /** One that records steps, and one that records nothing before its end. */
  neighbours: { status: string; error: string | null }[]
}

describe('A run that ends its worker at each attempt', function () {
  this.timeout(300_000)
  let outcomes: Promise<Outcome>[]

  // Each takes most of a minute, nearly all of it waiting: they wait together.
  before(() => {
    outcomes = CASES.map(({ signal }) => runBeside(signal))
    for (const outcome of outcomes) outcome.catch(() => undefined)
  })

  for (const [index, { does }] of CASES.entries()) {
    it(`${does} three workers and no more: it ends with worker_lost, and its neighbours complete`, async () => {
      const { bad, neighbours } = (await outcomes[index]) as Outcome
      expect(bad).to.include({ status: 'failed', begins: 3 })
      expect(bad.error).to.match(/worker died or froze 3 times/)
      expect(bad.codes).to.deep.equal(['worker_lost'])
      for (const neighbour of neighbours) expect(neighbour).to.deep.equal({ status: 'completed', error: null })
    })
  }
})

async function runBeside(signal: NodeJS.Signals | undefined): Promise<Outcome> {
  const env = { FROZEN_WORKER_MS: String(BUSY_MS) }
  const service = await startTestService({ agentsDir: FAULT_AGENTS, env })
  const supervisor = supervise(service.worker)
  try {
    const neighbours = [
      await submit(service, 'laborer', { steps: 12, calls: 1, ms: 1_000 }),
      await submit(service, 'patient', {}),
    ]
    for (const id of neighbours) {
      await eventually(
        () => service.counted(id),
        (lines) => lines.length > 0,
      )
    }
    const id = await submit(service, 'worker-killer', { signal })
    const ended = await untilEnded(service, id, CONVICTED_WITHIN_MS)
    const errors = await service.store.traces.find({ job_id: id, event_type: 'error' }).toArray()
    await Promise.all(neighbours.map((neighbour) => service.open(neighbour)))
    const beside = await Promise.all(neighbours.map((neighbour) => untilEnded(service, neighbour)))
    return {
      bad: {
        ...{ status: ended.body.status, error: ended.body.error },
        begins: (await service.counted(id)).length,
        codes: errors.map(({ payload }) => JSON.parse(payload).code),
      },
      neighbours: beside.map(({ body: { status, error } }) => ({ status, error })),
    }
  } finally {
    await supervisor.stop()
    await service.stop()
  }
}

async function submit(service: TestService, prompt_name: string, inputs: object): Promise<string> {
  return (await service.request('POST', '/api/prompts', { prompt_name, inputs })).body.prompt_id
}

/** Starts a worker again whenever it has died, and kills it when it stands still for long, as an orchestrator does. */
function supervise(worker: ServiceProcess): { stop: () => Promise<void> } {
  let stopped = false
  const work = async (): Promise<void> => {
    while (!stopped) {
      if (worker.pid === undefined) await worker.restart().catch(() => undefined)
      else if (standsStill(worker.pid)) {
        await sleep(STANDS_STILL_MS)
        await worker.kill9()
      }
      await sleep(200)
    }
    await revive(worker)
  }
  const working = work()
  return {
    stop: () => {
      stopped = true
      return working
    },
  }
}

function standsStill(pid: number): boolean {
  try {
    // The state follows the name, which is in parentheses.
    return /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
