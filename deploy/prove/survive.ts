import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import Docker from 'dockerode'
import { WebSocket } from 'ws'

// The part of prove.sh that talks to the service as a client: types and logs of the containers, pools, and load while
// processes are killed. Whatever was accepted must end, once.

const { URL: url = '', SERVICE_API_KEY: key = '', DOCKER_SOCKET_PATH: socketPath = '' } = process.env
const docker = new Docker({ socketPath })
const TEXT =
  'The harbour was quiet and lovely. Ships came late, which was bad for trade. Nobody complained about the rain.'
const DEADLINE_MS = 300_000
const TYPES: Record<string, string> = {
  ...{ api: 'api', worker: 'worker', 'worker-machines': 'worker', proxy: 'other' },
  ...{ temporal: 'infrastructure', postgres: 'infrastructure', 'mongo-1': 'infrastructure', s3: 'infrastructure' },
}

interface Container {
  id: string
  name: string
  service_name: string
  type: string
  status: string
}

await containersAndLogs()
await pools()
await kills()

async function containersAndLogs(): Promise<void> {
  const { containers } = await call<{ containers: Container[] }>('GET', '/api/logs/containers')
  for (const { name, service_name: service, type, status } of containers.toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    say(`  ${name.padEnd(32)} ${type.padEnd(15)} ${status}`)
    if (TYPES[service] !== undefined && type !== TYPES[service]) throw new Error(`${service} has the type ${type}.`)
  }
  for (const service of Object.keys(TYPES)) {
    const container = containers.find(({ service_name: name }) => name === service)
    if (container === undefined) throw new Error(`${service} is missing in the list.`)
    const { logs } = await call<{ logs: { message: string }[] }>('GET', `/api/logs/containers/${container.name}?tail=3`)
    say(`  log of ${service}: ${logs.length} lines; ${(logs.at(-1)?.message ?? '').slice(0, 90)}`)
    if (['api', 'worker'].includes(service) && logs.length === 0) throw new Error(`${service} has no log.`)
  }
}

async function pools(): Promise<void> {
  const { response } = await call<{ response: { hostname: string } }>('GET', '/api/agents/machine/chat?message=where')
  const [machines] = await docker.listContainers({ filters: { label: ['com.docker.compose.service=worker-machines'] } })
  say(`  machine ran in container ${response.hostname}; the pool's worker is ${machines?.Id.slice(0, 12)}`)
  if (!machines?.Id.startsWith(response.hostname)) throw new Error('An agent ran outside of its pool.')
}

async function kills(): Promise<void> {
  const tasks = Array.from({ length: 400 }, (_, index) => ({ text: `${TEXT} ${index}` }))
  const { batch_id: batch, job_ids: jobs } = await call<{ batch_id: string; job_ids: string[] }>(
    'POST',
    '/api/agents/sentiment/batch',
    { tasks },
  )
  const streamed = followBatch(batch)
  let going = true
  const prompts = submitWhile(() => going)
  for (const service of ['worker', 'api', 'mongo primary', 'temporal', 'worker-machines', 'postgres']) {
    await delay(4_000)
    await kill(service)
  }
  await delay(8_000)
  going = false
  const ids = await prompts
  say(`  ${ids.length} prompts accepted meanwhile, beside a batch of ${jobs.length}`)
  const { outputs } = await until(`/api/batches/${batch}`, ({ status }) => status === 'completed')
  const summary = outputs.summary as { succeeded: number; failed: number }
  say(`  batch: ${JSON.stringify(summary)}; streamed ends: ${streamed.ends.size}, streamed twice: ${streamed.doubles}`)
  if (summary.succeeded !== jobs.length) throw new Error('Tasks of the batch were lost.')
  for (const id of ids) await until(`/api/prompts/${id}`, ({ status }) => status !== 'running')
  await eachOnce([...jobs, ...ids])
  await until('/api/health', ({ status }) => status === 'ok')
  for (const deadline = Date.now() + 30_000; streamed.ends.size < jobs.length && Date.now() < deadline;)
    await delay(200)
  if (streamed.ends.size !== jobs.length || streamed.doubles > 0) throw new Error('The stream had a hole or a double.')
  streamed.stop()
}

/** Kills a service's first process as a crash would: from outside of the engine, which then starts it again. */
async function kill(service: string): Promise<void> {
  const name = service === 'mongo primary' ? await mongoPrimary() : service
  const [found] = await docker.listContainers({ filters: { label: [`com.docker.compose.service=${name}`] } })
  if (found === undefined) throw new Error(`${name} does not run.`)
  const { State: state } = await docker.getContainer(found.Id).inspect()
  process.kill(state.Pid, 'SIGKILL')
  say(`  killed ${name} (${found.Names[0]?.slice(1)}, pid ${state.Pid})`)
}

async function mongoPrimary(): Promise<string> {
  // The nodes' own log tells: the primary's last change of state was to PRIMARY.
  for (const name of ['mongo-1', 'mongo-2', 'mongo-3']) {
    const [found] = await docker.listContainers({ filters: { label: [`com.docker.compose.service=${name}`] } })
    if (found === undefined) continue
    const log = (await docker.getContainer(found.Id).logs({ stdout: true, stderr: true })).toString()
    const states = [...log.matchAll(/"newState":"([A-Z]+)"/g)].map(([, state]) => state)
    if (states.at(-1) === 'PRIMARY') return name
  }
  throw new Error('No node says that it is the primary.')
}

/** Prompts and chains, each with its own Idempotency-Key, so that a request whose answer was lost may be sent again. */
async function submitWhile(goesOn: () => boolean): Promise<string[]> {
  const ids: string[] = []
  const bodies = [
    {
      prompt_name: 'researcher',
      inputs: { text: TEXT },
      mode: 'sequential',
      agents: ['researcher', 'analyst', 'writer'],
    },
    { prompt_name: 'coordinator', inputs: { text: TEXT } },
    { prompt_name: 'machine', inputs: {} },
  ]
  for (let count = 0; goesOn(); count += 1) {
    const { prompt_id: id } = await call<{ prompt_id: string }>('POST', '/api/prompts', bodies[count % bodies.length])
    ids.push(id)
    await delay(250)
  }
  return ids
}

/** Each job has one beginning and one end, and its status is final. */
async function eachOnce(ids: string[]): Promise<void> {
  const counts = { completed: 0, other: 0 }
  for (const id of ids) {
    const { status, error } = await call<{ status: string; error: string | null }>('GET', `/api/jobs/${id}`)
    counts[status === 'completed' ? 'completed' : 'other'] += 1
    if (status !== 'completed') throw new Error(`${id} ended ${status}: ${error}`)
    const { traces } = await call<{ traces: Trace[] }>('GET', `/api/traces?job_id=${id}&limit=1000`)
    const ends = traces.filter(({ event_type: type }) => type === 'task_complete')
    const starts = traces.filter(({ event_type: type }) => type === 'task_start')
    const tools = traces.filter(({ event_type: type }) => type === 'tool_call')
    const calls = tools.map(({ parent_id: parent, payload }) => `${parent} ${payload.call_id}`)
    const doubled = calls.length !== new Set(calls).size
    if (starts.length !== ends.length || ends.length === 0 || doubled)
      throw new Error(`${id} has ${JSON.stringify(traces)}`)
  }
  say(`  ${counts.completed} of ${ids.length} completed, each step once`)
}

interface Trace {
  event_type: string
  parent_id: number | null
  payload: { call_id?: string }
}

/** Follows the batch as a browser would: a connection that broke is opened again with the last id that was seen. */
function followBatch(batch: string) {
  const ends = new Set<string>()
  const seen = new Set<number>()
  const state = { ends, doubles: 0, stop: () => {} }
  let last = 0
  let stopped = false
  const open = () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/batches/${batch}?after=${last}`, {
      headers: { 'x-api-key': key },
    })
    state.stop = () => {
      stopped = true
      socket.close()
    }
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; data: { spans: Span[] } }
      if (message.type !== 'traces') return
      for (const { id, event_type: type, metadata } of message.data.spans) {
        if (seen.has(id)) state.doubles += 1
        seen.add(id)
        if (type === 'task_complete') ends.add(metadata.job_id)
      }
      last = Math.max(last, ...message.data.spans.map(({ id }) => id))
    })
    socket.on('error', () => {})
    socket.on('close', () => stopped || setTimeout(open, 500))
  }
  open()
  return state
}

interface Span {
  id: number
  event_type: string
  metadata: { job_id: string }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function until(path: string, holds: (body: any) => boolean): Promise<any> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const body = await call<any>('GET', path)
    if (holds(body)) return body
    if (Date.now() > deadline) throw new Error(`${path} is still ${JSON.stringify(body).slice(0, 300)}`)
    await delay(500)
  }
}

/** One request, tried again while the service cannot take it. */
async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const problem = await attempt()
    if ('answer' in problem) return problem.answer as Answer
    if (Date.now() > deadline) throw new Error(`${method} ${path}: ${problem.reason}`)
    await delay(300)
  }

  async function attempt(): Promise<{ answer: unknown } | { reason: string }> {
    try {
      const signal = AbortSignal.timeout(60_000)
      const response = await fetch(url + path, {
        method,
        headers,
        signal,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      if (response.ok) return { answer: JSON.parse(text) }
      if (response.status < 500) throw Object.assign(new Error(`${method} ${path} answered ${text}`), { fatal: true })
      return { reason: `${response.status} ${text}` }
    } catch (error) {
      if ((error as { fatal?: boolean }).fatal) throw error
      return { reason: String(error) }
    }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
