import { writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { loadavg } from 'node:os'
import { startMongod } from '../test/streams/private-mongod.ts'
import { processUse } from './process-use.ts'
import { startReadService, type ReadService } from './read-service.ts'
import { drive, spread } from './statistics.ts'

/**
 * S4: `node bench/reads.ts [mongodb uri] [word in the endpoints' names]`. A given server keeps its data for the next
 * run.
 */
const CONNECTIONS = 20
const ROUNDS = 5
const ROUND_MS = 1_000
const WARM_UP_REQUESTS = 60
const MOST_REQUESTS = 1_000
const SMALL_EVENTS = 50_000
const LARGE_EVENTS = 1_000_000
const RESULT_FILE = 'bench-reads.json'

/** One round of one endpoint on one database. */
interface Round {
  p50: number
  p99: number
  /** CPU time of the API process and of mongod per request. */
  apiMs: number
  mongodMs: number
}

interface Row {
  endpoint: string
  bytes: number
  requests: number
  small: Round[]
  large: Round[]
}

const [given, word = ''] = process.argv.slice(2)
const mongod = given === undefined ? await startMongod() : undefined
const uri = given ?? mongod?.uri ?? ''
const services: ReadService[] = []
try {
  for (const events of [SMALL_EVENTS, LARGE_EVENTS]) services.push(await startReadService(uri, events))
  const [small, large] = services as [ReadService, ReadService]
  const rows: Row[] = []
  console.log(`Load average before: ${loadavg()[0]?.toFixed(2)}`)
  for (const [index, { name }] of small.endpoints.entries()) {
    if (!name.includes(word)) continue
    const row = await compare(small, large, index, name)
    rows.push(row)
    console.log(Object.values(shown(row)).join('  '))
  }
  console.table(rows.map(shown))
  await writeFile(RESULT_FILE, JSON.stringify({ at: new Date(), load: loadavg(), rows }, null, 2))
} finally {
  for (const service of services) await service.stop()
  await mongod?.stop()
}

/** Alternates between both databases, so that a slower machine affects both. */
async function compare(small: ReadService, large: ReadService, index: number, endpoint: string): Promise<Row> {
  const warm = [await measure(small, index, WARM_UP_REQUESTS), await measure(large, index, WARM_UP_REQUESTS)]
  const requests = Math.round(Math.min(MOST_REQUESTS, Math.max(60, (CONNECTIONS * ROUND_MS) / (warm[0]?.p50 ?? 1))))
  const row: Row = { endpoint, requests, bytes: await sizeOf(large, index), small: [], large: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    row.small.push(await measure(small, index, requests))
    row.large.push(await measure(large, index, requests))
  }
  return row
}

async function measure({ api, store, endpoints }: ReadService, index: number, requests: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const ask = (request: number) => read(agent, `${api.url}${endpoints[index]?.path(request)}`)
  const mongodPid = Number((await store.db.admin().serverStatus()).pid)
  // Warm-up, which opens the connections.
  await drive(2 * CONNECTIONS, CONNECTIONS, ask)
  const before = [processUse(Number(api.pid)), processUse(mongodPid)]
  const { times } = await drive(requests, CONNECTIONS, ask)
  const after = [processUse(Number(api.pid)), processUse(mongodPid)]
  agent.destroy()
  const [apiMs = 0, mongodMs = 0] = after.map(({ cpuMs }, which) => (cpuMs - (before[which]?.cpuMs ?? 0)) / requests)
  return { p50: times.p50, p99: times.p99, apiMs, mongodMs }
}

async function sizeOf({ api, endpoints }: ReadService, index: number): Promise<number> {
  return read(new Agent(), `${api.url}${endpoints[index]?.path(0)}`)
}

/** Reads a response without parsing it; returns its length. */
function read(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const taken = (response: IncomingMessage): void => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.once('error', reject)
      response.once('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${url} answered ${response.statusCode}`)),
      )
    }
    get(url, { agent }, taken).once('error', reject)
  })
}

function shown({ endpoint, bytes, requests, small, large }: Row) {
  const median = (rounds: Round[], figure: keyof Round): number => spread(rounds.map((round) => round[figure])).median
  const ratio = (figure: keyof Round): number =>
    spread(large.map((round, index) => round[figure] / (small[index]?.[figure] ?? Number.NaN))).median
  const short = (value: number): number => Number(value.toPrecision(3))
  return {
    endpoint,
    bytes,
    requests,
    'p50 50k': short(median(small, 'p50')),
    'p50 1M': short(median(large, 'p50')),
    ratio: short(ratio('p50')),
    'p99 50k': short(median(small, 'p99')),
    'p99 1M': short(median(large, 'p99')),
    'p99 ratio': short(ratio('p99')),
    'API ms/request': short(median(large, 'apiMs')),
    'mongod ms/request': short(median(large, 'mongodMs')),
  }
}
