import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi, startWorker } from '../test/support/processes.ts'
import { TEST_AGENTS } from '../test/support/service.ts'
import { startStack } from '../test/support/stack.ts'
import { createFloor } from './floor/floor.ts'
import { measureEager, startFloorWorker } from './floor/floor-process.ts'
import { processUse } from './process-use.ts'
import { instantJob, modelJob, s2, s3Code, s3Model, type Figures } from './scenarios.ts'
import { spread, takeTurns } from './statistics.ts'

const REPETITIONS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 3)
const RESULT_FILE = 'bench-engine.json'

/** One row of the table: a figure of the service, the floor to compare with, and their ratio, for each repetition. */
interface Row {
  name: string
  goal: string
  ours: number[]
  floor: number[]
}

/**
 * S1 to S3 and the floor of bare Temporal on the same servers, in the same run: `node bench/engine.ts [repetitions]`. Floor and
 * service alternate, so that a slower machine affects both.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  const stack = await startStack()
  const env = { ...stack.env, AGENTS_DIR: TEST_AGENTS, TEST_FOLDER: folder }
  const address = stack.env.TEMPORAL_ADDRESS ?? ''
  const startedAt = performance.now()
  const [api, worker] = await Promise.all([startApi({ env }), startWorker({ env })])
  const memory: Figures = { start_ms: performance.now() - startedAt, idle_mb: megabytes(api.pid, worker.pid) }
  const floorWorker = await startFloorWorker(address)
  const floor = await createFloor(address)
  const rows: Record<string, Row> = {
    s1: { name: 'S1 p50 (ms) vs F1', goal: '≤ 1.3', ours: [], floor: [] },
    s1model: { name: 'S1 model p50 (ms) vs F1', goal: '≤ 1.3', ours: [], floor: [] },
    s2: { name: 'S2 prompts/s vs F1', goal: '≥ 1.3', ours: [], floor: [] },
    s2p99: { name: 'S2 p99 (ms) vs F1', goal: '≤ 1.5', ours: [], floor: [] },
    s3code: { name: 'S3 code tasks/s vs F3', goal: '≥ 3', ours: [], floor: [] },
    s3model: { name: 'S3 model steps/s vs F3', goal: '≥ 3', ours: [], floor: [] },
    f2: { name: 'F2 p50 (ms) vs F1', goal: '–', ours: [], floor: [] },
  }
  try {
    const calls = { floor: floor.f1, instant: instantJob(api.url), model: modelJob(api.url) }
    await takeTurns(100, calls)
    for (let repetition = 1; repetition <= REPETITIONS; repetition += 1) {
      say(`repetition ${repetition} of ${REPETITIONS}, load average ${loadavg()[0]?.toFixed(2)}`)
      const sequential = await takeTurns(100, calls)
      add(rows.s1, sequential.instant.p50, sequential.floor.p50)
      add(rows.s1model, sequential.model.p50, sequential.floor.p50)
      add(rows.f2, await measureEager(address), sequential.floor.p50)
      const concurrent = await floor.f1Concurrent()
      const many = await s2(api.url)
      add(rows.s2, many.per_second, concurrent.perSecond)
      add(rows.s2p99, many.p99_ms, concurrent.p99)
      const fanOut = await floor.f3()
      add(rows.s3code, (await s3Code(api.url)).tasks_per_second, fanOut)
      memory.batch_mb = Math.max(memory.batch_mb ?? 0, megabytes(api.pid, worker.pid))
      add(rows.s3model, (await s3Model(api.url)).steps_per_second, fanOut)
    }
    await report(rows, memory)
  } finally {
    await floor.close()
    await floorWorker.stop()
    await Promise.all([api.stop(), worker.stop()])
    await stack.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function add(row: Row | undefined, ours: number | undefined, floor: number): void {
  row?.ours.push(ours ?? Number.NaN)
  row?.floor.push(floor)
}

function megabytes(...pids: (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => sum + (pid === undefined ? 0 : processUse(pid).rssBytes / 1e6), 0)
}

async function report(rows: Record<string, Row>, memory: Figures): Promise<void> {
  const table = Object.values(rows).map(({ name, goal, ours, floor }) => {
    const ratio = spread(ours.map((value, index) => value / (floor[index] ?? Number.NaN)))
    const shown = (value: number): number => Number(value.toPrecision(3))
    return {
      figure: name,
      ours: shown(spread(ours).median),
      floor: shown(spread(floor).median),
      'ratio min': shown(ratio.min),
      'ratio median': shown(ratio.median),
      'ratio max': shown(ratio.max),
      goal,
    }
  })
  console.table(table)
  console.table([memory])
  await writeFile(RESULT_FILE, JSON.stringify({ at: new Date(), table, memory, rows }, null, 2))
  say(`All figures are in ${RESULT_FILE}.`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main()
